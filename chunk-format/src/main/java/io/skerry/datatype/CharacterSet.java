package io.skerry.datatype;

/**
 * The character set of a string. The constants are in the order of their codes in the file format.
 */
public enum CharacterSet {
  ASCII,
  UTF8
}
