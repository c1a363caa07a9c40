#pragma once
#include <stdlib.h>
// Newer headers mark as deprecated what older versions have no other form of: callbacks for HTML, and what a DTD
// declares.
#define XML_DEPRECATED
#define XML_DEPRECATED_MEMBER
#include <libxml/xmlversion.h>
// Where libxml2 is built with ICU, its headers include ICU's, whose types clash with those of the ICU
// inside Foundation as soon as somebody imports both. They only complete the encoding handler, which is
// used through pointers here.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/relaxng.h>
#include <libxml/SAX2.h>
#include <libxml/c14n.h>
#include <libxml/dict.h>
#include <libxml/tree.h>
#include <libxml/uri.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlsave.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlschemastypes.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// What Swift cannot reach (global variables behind macros), and what versions of libxml2 do in different ways.

// `xmlFree` and `xmlRealloc` are global variables that hold function pointers, which Swift 6 refuses to read.
static inline void stagecoach_xml_free(void *pointer) { xmlFree(pointer); }

static inline void *stagecoach_xml_realloc(void *pointer, size_t size) { return xmlRealloc(pointer, size); }

// The version that runs, as opposed to that of the headers: 21406 is 2.14.6.
static inline int stagecoach_xml_library_version(void) { return atoi(xmlParserVersion); }

// The error handlers of the calling thread (libxml2 keeps them per thread). A few failures of libxml2
// carry no context and go to them, which by default print to stderr; so they are replaced for the
// length of one call and put back after it.
typedef struct {
  xmlStructuredErrorFunc structured;
  void *structuredData;
  xmlGenericErrorFunc generic;
  void *genericData;
} stagecoach_xml_handlers;

static inline void stagecoach_xml_ignore(void *data, const char *format, ...) {
  (void)data;
  (void)format;
}

static inline stagecoach_xml_handlers stagecoach_xml_redirect(xmlStructuredErrorFunc handler, void *data) {
  stagecoach_xml_handlers saved = {
    xmlStructuredError, xmlStructuredErrorContext, xmlGenericError, xmlGenericErrorContext
  };
  xmlSetStructuredErrorFunc(data, handler);
  xmlSetGenericErrorFunc(NULL, stagecoach_xml_ignore);
  return saved;
}

static inline void stagecoach_xml_restore(stagecoach_xml_handlers saved) {
  xmlSetStructuredErrorFunc(saved.structuredData, saved.structured);
  xmlSetGenericErrorFunc(saved.genericData, saved.generic);
}

// Sets the options of a context, and whatever a host may have given other defaults.
static inline void stagecoach_xml_configure(xmlParserCtxtPtr context, int options) {
#if LIBXML_VERSION >= 21300
  options |= XML_PARSE_NO_XXE;
#endif
  xmlCtxtUseOptions(context, options);
}

// Lets go of the tree that a context has, which the caller has to free.
static inline xmlDocPtr stagecoach_xml_take_document(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21400
  return xmlCtxtGetDocument(context);
#else
  xmlDocPtr document = context->myDoc;
  context->myDoc = NULL;
  return document;
#endif
}

// Gives the declaration of an attribute a default value.
static inline void stagecoach_xml_set_default(xmlAttributePtr attribute, const xmlChar *value) {
  attribute->defaultValue = xmlStrdup(value);
}

// What follows is all that is read of a parser context. Functions of libxml2 are used as soon as there are such; the
// fields are those of older versions. All of it was tried with 2.9.14, 2.12.10, 2.13.9, 2.14.6 and 2.15.3.

// The private field is the application's; there are functions for it since 2.14.
static inline void *stagecoach_xml_owner(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21400
  return xmlCtxtGetPrivate(context);
#else
  return context->_private;
#endif
}

static inline void stagecoach_xml_set_owner(xmlParserCtxtPtr context, void *owner) {
#if LIBXML_VERSION >= 21400
  xmlCtxtSetPrivate(context, owner);
#else
  context->_private = owner;
#endif
}

// The document that is being parsed, which stays the context's; since 2.15 by way of its nodes.
static inline xmlDocPtr stagecoach_xml_document(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21500
  xmlNodePtr node = xmlCtxtGetNode(context);
  return node == NULL ? NULL : node->doc;
#else
  return context->myDoc;
#endif
}

// How many strings the parser keeps once each: names, and in a tree short white space too. Three are its own.
static inline int stagecoach_xml_distinct_strings(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21400
  xmlDictPtr strings = xmlCtxtGetDict(context);
#else
  xmlDictPtr strings = context->dict;
#endif
  int count = strings == NULL ? 0 : xmlDictSize(strings);
  return count > 3 ? count - 3 : 0;
}

// What the XML declaration says; `standalone` is negative if it says nothing. There are functions since 2.14.
static inline const unsigned char *stagecoach_xml_version(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21400
  return xmlCtxtGetVersion(context);
#else
  return context->version;
#endif
}

static inline int stagecoach_xml_standalone(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21400
  return xmlCtxtGetStandalone(context);
#else
  return context->standalone;
#endif
}

// Where the parser is in the input, in bytes of UTF-8; there is a function since 2.15.
static inline size_t stagecoach_xml_position(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21500
  unsigned long position = 0;
  xmlCtxtGetInputPosition(context, -1, NULL, NULL, NULL, &position);
  return (size_t)position;
#else
  xmlParserInputPtr input = context->input;
  return input == NULL ? 0 : (size_t)input->consumed + (size_t)(input->cur - input->base);
#endif
}

// The bytes that the parser holds because the markup they begin is not complete yet. `position` is where they begin in
// the input, which tells one piece of markup from the next. No version has a function for them.
static inline const unsigned char *stagecoach_xml_held(
  xmlParserCtxtPtr context, size_t *count, size_t *position
) {
  xmlParserInputPtr input = context->input;
  if (input == NULL || input->cur == NULL || input->end <= input->cur) return NULL;
  *count = (size_t)(input->end - input->cur);
  *position = stagecoach_xml_position(context);
  return input->cur;
}

// The element that is being built; there is a function since 2.15.
static inline xmlNodePtr stagecoach_xml_node(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21500
  return xmlCtxtGetNode(context);
#else
  return context->node;
#endif
}

// Replaces the name of the encoding that the document has; NULL for none.
static inline void stagecoach_xml_set_encoding(xmlDocPtr document, const char *name) {
  if (document->encoding != NULL) xmlFree((void *)document->encoding);
  document->encoding = name == NULL ? NULL : xmlStrdup((const xmlChar *)name);
}

// What opens a file or connection for the calling thread, unless an entity loader of the host comes first.
// libxml2 keeps this per thread; the return value is what was set before, and is put back after the call.
static inline xmlParserInputBufferCreateFilenameFunc stagecoach_xml_set_opener(
  xmlParserInputBufferCreateFilenameFunc opener
) {
  return xmlParserInputBufferCreateFilenameDefault(opener);
}

// The structured error handler that the calling thread has now, and its data.
static inline xmlStructuredErrorFunc stagecoach_xml_redirected_handler(void) { return xmlStructuredError; }

static inline void *stagecoach_xml_redirected_data(void) { return xmlStructuredErrorContext; }

// Sets libxml2's own callbacks for HTML, in a handler that hears of structured errors too.
static inline void stagecoach_html_handler(xmlSAXHandlerPtr handler) {
  xmlSAX2InitHtmlDefaultSAXHandler(handler);
  handler->initialized = XML_SAX2_MAGIC;
}

// HTML: mends what it can, adds no document type, and does not look for an encoding in the document.
// `huge` lifts the limits of libxml2 for depth and text.
static inline void stagecoach_html_configure(htmlParserCtxtPtr context, int huge) {
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC;
  if (huge) options |= XML_PARSE_HUGE;
#if LIBXML_VERSION >= 21400
  htmlCtxtSetOptions(context, options | HTML_PARSE_BIG_LINES);
#else
  // Older versions know some options of XML only by this way; the next call puts the rest right.
  xmlCtxtUseOptions(context, XML_PARSE_BIG_LINES | (huge ? XML_PARSE_HUGE : 0));
  htmlCtxtUseOptions(context, options);
#endif
}

// Makes the tree of an HTML parser one like that of an XML parser, for all who read it.
static inline void stagecoach_html_seal(xmlDocPtr document) { document->type = XML_DOCUMENT_NODE; }
