package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.CharacterSet;

/** The character set byte of names. */
public final class CharacterSets {
  private CharacterSets() {}

  /** The narrowest that holds a name. */
  public static CharacterSet of(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 128) {
        return CharacterSet.UTF8;
      }
    }
    return CharacterSet.ASCII;
  }

  public static CharacterSet decode(ByteReader in) {
    int number = in.u8();
    if (number > 1) {
      throw in.fault("character set", "0 ASCII or 1 UTF-8", number);
    }
    return CharacterSet.values()[number];
  }
}
