package io.skerry.iod.rados;

import io.skerry.iod.engine.Place;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The names of the objects of a shard in its pool.
 *
 * <pre>
 * run                          description of the container run: see {@link Description}
 * ID/snapshots                 its snapshots: see {@link RadosSnapshots}
 * ID/N                         head of shard N
 *                                attribute identity   ID/N
 *                                attribute writer     the opener that writes: see {@link Lease}
 *                                attribute mark       readable mark, in shard 0 only: u64
 *                                attribute oldest     argument of the last purge: u64
 *                                pair oO              object O has versions
 *                                pair cT.C            places that transaction T changed: {@link ChangeList}
 * ID/N/O                       object O
 *                                attribute pad.~T     scratch pad of transaction T
 *                                pair                 version of a pair, tile or block: {@link OmapKeys}
 * ID/N/O.tNUMBER.T.S           stripe S of a large tile of transaction T; b for a block, k and the
 *                              SHA-256 of the key for a pair, p for a scratch pad
 * </pre>
 *
 * <p>ID is the identifier of the container, so a container can be renamed. O, T, C and numbers are
 * hexadecimal with leading zeros; ~T is the complement of T. A value of u64 is big-endian.
 *
 * @param head the name of the head
 */
record ShardNames(String head) {
  static final String IDENTITY = "identity";
  static final String WRITER = "writer";
  static final String MARK = "mark";
  static final String OLDEST = "oldest";
  static final String PAD = "pad.";

  private static final HexFormat HEX = HexFormat.of();

  static ShardNames of(UUID container, int shard) {
    return new ShardNames(container + "/" + shard);
  }

  /** Returns the prefix of the names of all objects of a container but its description. */
  static String prefix(UUID container) {
    return container + "/";
  }

  static String snapshots(UUID container) {
    return prefix(container) + "snapshots";
  }

  /** Returns the prefix of the names of all objects of the shard but its head. */
  String prefix() {
    return head + "/";
  }

  String object(long object) {
    return prefix() + HEX.toHexDigits(object);
  }

  /** Returns the name of a stripe of a large value. */
  String data(Place place, long transaction, int stripe) {
    return object(place.object())
        + "."
        + inObject(place)
        + "."
        + HEX.toHexDigits(transaction)
        + "."
        + stripe;
  }

  private static String inObject(Place place) {
    return switch (place) {
      case Place.ScratchPad _ -> "p";
      // A key may exceed the longest object name, so its digest is used.
      case Place.Pair pair ->
          "k" + HEX.formatHex(sha256(pair.key().segment().toArray(ValueLayout.JAVA_BYTE)));
      case Place.Tile tile -> "t" + HEX.toHexDigits(tile.number());
      case Place.Block block -> "b" + HEX.toHexDigits(block.number());
    };
  }

  private static byte[] sha256(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the name of the attribute of a scratch pad. */
  static String pad(long transaction) {
    return PAD + HEX.toHexDigits(~transaction);
  }

  /** Returns the transaction number in the name of the attribute of a scratch pad. */
  static long transactionOfPad(String attribute) {
    return ~HexFormat.fromHexDigitsToLong(attribute, PAD.length(), attribute.length());
  }
}
