package io.skerry.datatype;

/** The signedness of an integer; signed integers are in two's complement. */
public enum Signedness {
  UNSIGNED,
  SIGNED
}
