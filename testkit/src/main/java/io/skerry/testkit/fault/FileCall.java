package io.skerry.testkit.fault;

/**
 * A kind of call that a rank makes on a file. {@link #READ_ALONE}, {@link #WRITE_ALONE} and {@link
 * #SIZE} are independent calls; the others are collective.
 */
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
