package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.datatype.CharacterSet;

/** Selects and decodes the character set of names. */
public final class CharacterSets {
  private CharacterSets() {}

  /** Returns ASCII if the name has only ASCII characters, otherwise UTF-8. */
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
