package io.skerry.datatype;

/** Character set of text; the constants are in the order of the format's numbers. */
public enum CharacterSet {
  ASCII,
  UTF8
}
