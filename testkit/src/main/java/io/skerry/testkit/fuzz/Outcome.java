package io.skerry.testkit.fuzz;

/** What came of reading one damaged file. */
public enum Outcome {
  /** Everything was read: the damage hit values, or nothing that counts. */
  READ,
  /** Refused as damaged. */
  DAMAGED,
  /** Refused as something that is not read. */
  UNSUPPORTED,
  /** Another exception or error: a defect. */
  DEFECT,
  /** Not done in time: a defect. */
  HANG
}
