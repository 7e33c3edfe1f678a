package io.skerry.datatype;

/** Signedness of an integer; signed integers are in two's complement. */
public enum Signedness {
  UNSIGNED,
  SIGNED
}
