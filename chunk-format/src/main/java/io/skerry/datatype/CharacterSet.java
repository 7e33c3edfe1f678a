package io.skerry.datatype;

/** Character set of text. The constants are in the order of their codes in the file format. */
public enum CharacterSet {
  ASCII,
  UTF8
}
