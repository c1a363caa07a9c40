@_exported public import StagecoachFixtures
