#pragma once
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

// What Swift cannot reach (global variables behind macros), and the fields of the parser context that
// newer headers mark as deprecated: the compiler says nothing about those in a system header.

// `xmlFree` is a global variable that holds a function pointer, which Swift 6 refuses to read.
static inline void stagecoach_xml_free(void *pointer) { xmlFree(pointer); }

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

// Sets the options, and what `xmlCtxtUseOptions` leaves to defaults that a host may have changed.
static inline void stagecoach_xml_configure(xmlParserCtxtPtr context, int options) {
#if LIBXML_VERSION >= 21300
  options |= XML_PARSE_NO_XXE;
#endif
  xmlCtxtUseOptions(context, options);
  context->replaceEntities = 0;
  context->loadsubset = 0;
  context->validate = 0;
  context->keepBlanks = 1;
  context->linenumbers = 1;
}

static inline void *stagecoach_xml_owner(xmlParserCtxtPtr context) { return context->_private; }

static inline void stagecoach_xml_set_owner(xmlParserCtxtPtr context, void *owner) {
  context->_private = owner;
}

static inline xmlSAXHandlerPtr stagecoach_xml_sax(xmlParserCtxtPtr context) { return context->sax; }

// Takes back that names of namespaces are no URIs, which libxml2 noted before it reported the tag.
static inline void stagecoach_xml_forgive_namespaces(xmlParserCtxtPtr context) { context->nsWellFormed = 1; }

static inline xmlDocPtr stagecoach_xml_document(xmlParserCtxtPtr context) { return context->myDoc; }

static inline int stagecoach_xml_line(xmlParserCtxtPtr context) {
  return context->input == NULL ? 0 : context->input->line;
}

static inline int stagecoach_xml_column(xmlParserCtxtPtr context) {
  return context->input == NULL ? 0 : context->input->col;
}

// How many strings the parser keeps once each: names, and in a tree short white space too. Three are its own.
static inline int stagecoach_xml_distinct_strings(xmlParserCtxtPtr context) {
  int count = context->dict == NULL ? 0 : xmlDictSize(context->dict);
  return count > 3 ? count - 3 : 0;
}

// Hands the tree over: the context no longer knows it.
static inline xmlDocPtr stagecoach_xml_take_document(xmlParserCtxtPtr context) {
  xmlDocPtr document = context->myDoc;
  context->myDoc = NULL;
  return document;
}

// Whether the parser has given up or found the document ill-formed.
static inline int stagecoach_xml_failed(xmlParserCtxtPtr context) {
  return !context->wellFormed || !context->nsWellFormed || context->disableSAX;
}

// The bytes that the parser holds because the markup they begin is not complete yet. `position` is where
// they begin in the input, which tells one piece of markup from the next.
static inline const unsigned char *stagecoach_xml_held(
  xmlParserCtxtPtr context, size_t *count, size_t *position
) {
  xmlParserInputPtr input = context->input;
  if (input == NULL || input->cur == NULL || input->end <= input->cur) return NULL;
  *count = (size_t)(input->end - input->cur);
  *position = (size_t)input->consumed + (size_t)(input->cur - input->base);
  return input->cur;
}

// What the XML declaration says; `standalone` is negative if it says nothing.
static inline const unsigned char *stagecoach_xml_version(xmlParserCtxtPtr context) { return context->version; }

static inline const unsigned char *stagecoach_xml_encoding(xmlParserCtxtPtr context) { return context->encoding; }

static inline int stagecoach_xml_standalone(xmlParserCtxtPtr context) { return context->standalone; }

// Whether the parser is inside the document type declaration.
static inline int stagecoach_xml_in_subset(xmlParserCtxtPtr context) { return context->inSubset; }

// Where the parser is in the input.
static inline size_t stagecoach_xml_position(xmlParserCtxtPtr context) {
  xmlParserInputPtr input = context->input;
  return input == NULL ? 0 : (size_t)input->consumed + (size_t)(input->cur - input->base);
}

// Whether what the parser holds is the beginning of an internal subset, which it parses when all of it is there.
static inline int stagecoach_xml_holds_subset(xmlParserCtxtPtr context) {
  return context->instate == XML_PARSER_DTD;
}

// Whether an internal subset may come or has begun. New versions have a state of the XML declaration, behind all others.
static inline int stagecoach_xml_awaits_subset(xmlParserCtxtPtr context) {
  return context->instate < XML_PARSER_PROLOG || context->instate > XML_PARSER_PUBLIC_LITERAL;
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

// HTML: mends what it can, adds no document type, and does not look for an encoding in the document.
static inline void stagecoach_html_configure(htmlParserCtxtPtr context) {
  htmlCtxtUseOptions(
    context, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC
  );
  context->options |= XML_PARSE_BIG_LINES;
  context->keepBlanks = 1;
  context->linenumbers = 1;
  context->validate = 0;
  // Without it libxml2 takes no notice of the handler of structured errors.
  context->sax->initialized = XML_SAX2_MAGIC;
}

static inline int stagecoach_html_open_elements(htmlParserCtxtPtr context) { return context->nameNr; }

// Whether the parser is inside of an element of this name, directly.
static inline int stagecoach_html_is_in(htmlParserCtxtPtr context, const char *name) {
  return xmlStrEqual(context->name, (const xmlChar *)name);
}

// Gives the element that was just opened the name as written: the SAX1 interface cuts prefixes off.
static inline void stagecoach_html_rename(htmlParserCtxtPtr context, const xmlChar *name) {
  if (context->node != NULL) xmlNodeSetName(context->node, name);
}

// Makes the tree of an HTML parser one like that of an XML parser, for all who read it.
static inline void stagecoach_html_seal(xmlDocPtr document) { document->type = XML_DOCUMENT_NODE; }

// The character of a named reference of HTML 4; 0 if there is none.
static inline unsigned int stagecoach_html_entity(const char *name) {
  const htmlEntityDesc *entity = htmlEntityLookup((const xmlChar *)name);
  return entity == NULL ? 0 : entity->value;
}
