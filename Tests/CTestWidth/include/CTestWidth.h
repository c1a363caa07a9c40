// Nothing to call: linking it is enough; see CTestWidth.c.
