package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;

/**
 * Hints for the storage of the links of a group.
 *
 * <pre>
 * u32 local heap | u16 most compact | u16 fewest dense | u16 entries | u16 length of a name
 * </pre>
 *
 * @param localHeap the initial size of the local heap in bytes, 0 for the default
 * @param mostCompact the largest number of links in compact storage
 * @param fewestDense the smallest number of links in dense storage
 * @param entries the expected number of links
 * @param nameLength the expected size of a name in bytes
 */
public record GroupInfo(
    long localHeap, int mostCompact, int fewestDense, int entries, int nameLength) {
  /** The default of the HDF5 library. */
  public static final GroupInfo DEFAULT = new GroupInfo(0, 8, 6, 4, 8);

  static final ValueCodec<GroupInfo> CODEC = ValueCodec.of(GroupInfo::decode, GroupInfo::encode);

  /**
   * Creates hints. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a number is negative or does not fit in its field
   */
  public GroupInfo {
    if ((localHeap | 0xffffffffL) != 0xffffffffL
        || (mostCompact | fewestDense | entries | nameLength | 0xffff) != 0xffff) {
      throw new IllegalArgumentException(
          "group info: localHeap="
              + localHeap
              + " mostCompact="
              + mostCompact
              + " fewestDense="
              + fewestDense
              + " entries="
              + entries
              + " nameLength="
              + nameLength
              + " limit=65535");
    }
  }

  private static GroupInfo decode(ByteReader in) {
    return new GroupInfo(in.u32(), in.u16(), in.u16(), in.u16(), in.u16());
  }

  private static void encode(GroupInfo info, ByteWriter out) {
    out.u32(info.localHeap).u16(info.mostCompact).u16(info.fewestDense);
    out.u16(info.entries).u16(info.nameLength);
  }
}
