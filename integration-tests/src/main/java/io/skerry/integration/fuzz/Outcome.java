package io.skerry.integration.fuzz;

/** The outcome of reading a damaged file. */
public enum Outcome {
  /** The whole file was read: the damage affects only values or unused bytes. */
  READ,
  /** The file was refused as damaged. */
  DAMAGED,
  /** The file was refused as unsupported. */
  UNSUPPORTED,
  /** Another exception or error was thrown, which is a defect. */
  DEFECT,
  /** Reading did not end in time, which is a defect. */
  HANG
}
