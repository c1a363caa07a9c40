#pragma once
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlsave.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// `xmlFree` is a global variable that holds a function pointer, which Swift 6 refuses to read.
static inline void stagecoach_xml_free(void *pointer) { xmlFree(pointer); }
