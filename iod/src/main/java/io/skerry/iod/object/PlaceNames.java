package io.skerry.iod.object;

import io.skerry.chunk.bytes.StoredText;
import io.skerry.chunk.text.PrintableText;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Place;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Names of places for messages and dumps. Local, thread-safe; does not fail. */
public final class PlaceNames {
  private static final int SHOWN_KEY = 64;

  private PlaceNames() {}

  /** Returns the object, the part, and the key or number of a place. */
  public static String of(Place place) {
    String object = object(place.object());
    return switch (place) {
      case Place.ScratchPad _ -> object + " scratch pad";
      case Place.Pair pair -> object + " pair " + key(pair.key());
      case Place.Tile tile -> object + " tile " + Long.toUnsignedString(tile.number());
      case Place.Block block -> object + " block " + Long.toUnsignedString(block.number());
    };
  }

  private static String object(long bits) {
    try {
      return new ObjectId(bits).toString();
    } catch (IllegalArgumentException e) {
      return String.format("object %016x", bits);
    }
  }

  /** Returns a printable key as quoted text without its NUL, any other in hexadecimal digits. */
  public static String key(Bytes key) {
    byte[] bytes = key.segment().toArray(ValueLayout.JAVA_BYTE);
    boolean isText = bytes.length > 1 && bytes[bytes.length - 1] == 0;
    for (int i = 0; i < bytes.length - 1; i++) {
      isText &= bytes[i] >= ' ' && bytes[i] != 0x7f;
    }
    String text =
        isText
            ? PrintableText.quoted(StoredText.decode(Arrays.copyOf(bytes, bytes.length - 1)))
            : key.toString();
    return text.length() <= SHOWN_KEY ? text : text.substring(0, SHOWN_KEY) + "...";
  }
}
