package io.skerry.datatype;

/** Whether an integer has a sign (two's complement). */
public enum Signedness {
  UNSIGNED,
  SIGNED
}
