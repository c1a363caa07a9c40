// Messages consist of types of the formats, so importing the core imports the formats too.
@_exported public import StagecoachFormats
