package io.skerry.integration.fuzz;

/** The outcome of reading a damaged file. */
public enum Outcome {
  /** The whole file was read: the damage violates no rule that the reader checks. */
  READ,
  /** The file was refused as damaged. */
  DAMAGED,
  /**
   * The file was refused because of an unsupported feature, the memory limit or an untrusted file.
   */
  UNSUPPORTED,
  /** Another exception or error was thrown, which is a defect. */
  DEFECT,
  /** Reading did not end in time, which is a defect. */
  HANG
}
