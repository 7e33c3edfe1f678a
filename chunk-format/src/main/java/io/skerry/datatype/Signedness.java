package io.skerry.datatype;

/** Signed (two's complement) or unsigned integers. */
public enum Signedness {
  UNSIGNED,
  SIGNED
}
