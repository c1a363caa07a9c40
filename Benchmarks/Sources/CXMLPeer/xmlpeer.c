#include "xmlpeer.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <string.h>

static void start_element(
  void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
  const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes
) {
  xml_counts *counts = data;
  counts->elements += 1;
  counts->attributes += attribute_count;
}

static void end_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}

static void characters(void *data, const xmlChar *text, int count) {
  xml_counts *counts = data;
  counts->text += count;
}

static int feed(xmlParserCtxtPtr context, const char *bytes, size_t count, size_t chunk) {
  size_t start = 0;
  while (start < count) {
    size_t size = count - start < chunk ? count - start : chunk;
    if (xmlParseChunk(context, bytes + start, (int)size, 0) != 0) return -1;
    start += size;
  }
  return xmlParseChunk(context, NULL, 0, 1);
}

int xml_count(const char *bytes, size_t count, size_t chunk, xml_counts *counts) {
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start_element;
  handler.endElementNs = end_element;
  handler.characters = characters;
  handler.cdataBlock = characters;
  memset(counts, 0, sizeof *counts);
  xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&handler, counts, NULL, 0, NULL);
  if (context == NULL) return -1;
  xmlCtxtUseOptions(context, XML_PARSE_NONET);
  int result = feed(context, bytes, count, chunk);
  xmlFreeParserCtxt(context);
  return result;
}

long xml_build(const char *bytes, size_t count, size_t chunk) {
  xmlParserCtxtPtr context = xmlCreatePushParserCtxt(NULL, NULL, NULL, 0, NULL);
  if (context == NULL) return -1;
  xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_COMPACT);
  long children = -1;
  if (feed(context, bytes, count, chunk) == 0) {
    children = (long)xmlChildElementCount(xmlDocGetRootElement(context->myDoc));
  }
  xmlFreeDoc(context->myDoc);
  xmlFreeParserCtxt(context);
  return children;
}
