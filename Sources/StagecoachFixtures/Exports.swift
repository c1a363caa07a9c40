@_exported public import StagecoachScenarios
