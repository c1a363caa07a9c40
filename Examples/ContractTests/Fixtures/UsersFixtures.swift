// The fixtures of this folder, and the library that replays them, with one import.
@_exported public import StagecoachFixtures
