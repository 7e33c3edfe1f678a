package io.skerry.iod.encoding.property;

/** A property that is off or on. The constants are in the order of their codes. */
public enum Switch {
  OFF,
  ON
}
