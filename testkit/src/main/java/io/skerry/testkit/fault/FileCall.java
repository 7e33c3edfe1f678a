package io.skerry.testkit.fault;

/** A call of a rank on a file. The first four and the last are collective. */
public enum FileCall {
  WRITE,
  READ,
  RESIZE,
  SYNC,
  READ_ALONE,
  WRITE_ALONE,
  SIZE,
  CLOSE
}
