package io.skerry.testkit.fault;

/** A call of a rank on a file. The first four are collective. */
public enum FileCall {
  WRITE,
  READ,
  RESIZE,
  SYNC,
  READ_ALONE,
  WRITE_ALONE,
  SIZE
}
