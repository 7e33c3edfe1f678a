package io.skerry.testkit.fault;

/** What a rank does with a file. The first four are collective. */
public enum FileCall {
  WRITE,
  READ,
  RESIZE,
  SYNC,
  READ_ALONE,
  WRITE_ALONE,
  SIZE
}
