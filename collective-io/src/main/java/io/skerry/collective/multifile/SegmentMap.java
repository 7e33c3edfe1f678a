package io.skerry.collective.multifile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * The member files of one HDF5 file, in the order of their addresses. The members are concatenated
 * into one combined file. A small gap is left between the members of a multi file, so that a read
 * beyond the end of a member is detected.
 *
 * @param base the number of bytes before the superblock
 * @param parts the members, at least one
 */
public record SegmentMap(long base, List<Segment> parts) {
  /**
   * The first of the offsets that represent addresses beyond the end of a member. There are no
   * bytes at these offsets. Each member of a multi file has a range of 2^58 of them, so that an
   * error can name the member.
   */
  private static final long NOWHERE = 1L << 62;

  private static final int STRETCH = 58;
  private static final String CUT = "\0";

  public SegmentMap {
    parts = List.copyOf(parts);
  }

  /** Returns the paths of the members. */
  public List<Path> files() {
    return parts.stream().map(Segment::file).toList();
  }

  /** Returns the size of the combined file in bytes. */
  public long size() {
    Segment last = parts.getLast();
    return last.start() + last.present();
  }

  /** Returns the mapping of stored addresses to addresses in the combined file. */
  public AddressMapping places() {
    return parts.stream().allMatch(part -> part.stored() == part.start())
        ? AddressMapping.IDENTITY
        : new Moved(this);
  }

  /** Maps the stored addresses of a multi file to addresses in the combined file. */
  private record Moved(SegmentMap map) implements AddressMapping {
    @Override
    public long map(long stored) {
      long absolute = stored + map.base;
      int index = map.parts.size() - 1;
      while (Long.compareUnsigned(map.parts.get(index).stored(), absolute) > 0) {
        index--;
      }
      Segment part = map.parts.get(index);
      long inside = absolute - part.stored();
      boolean there = Long.compareUnsigned(inside, part.present()) <= 0;
      long far = Math.min(inside & Long.MAX_VALUE, (1L << STRETCH) - 1);
      long place = there ? part.start() + inside : NOWHERE + ((long) index << STRETCH) + far;
      return place - map.base;
    }

    /** Ignores the stored end, which is the end of one member, not necessarily of the last one. */
    @Override
    public long end(long stored) {
      return map.size();
    }
  }

  /** Returns the index of the member to which an offset in the combined file belongs. */
  int indexOf(long place) {
    if (place >= NOWHERE) {
      return (int) Math.min(parts.size() - 1L, place - NOWHERE >>> STRETCH);
    }
    int low = 0;
    int high = parts.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (parts.get(middle).start() <= place) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * Checks that bytes can be read.
   *
   * @param place the offset of the first byte in the combined file, not negative
   * @param length the number of bytes, not negative
   * @throws FormatException if a member is missing or too short; the exception names the member
   */
  void require(long place, long length) {
    long at = place;
    long left = length;
    while (left > 0) {
      Segment part = parts.get(indexOf(at));
      long inside = at >= NOWHERE ? at & ((1L << STRETCH) - 1) : at - part.start();
      if (inside >= part.present()) {
        boolean missing = part.bytes().isEmpty();
        throw new FormatException(
                missing
                    ? "a member of the file is missing"
                    : "bytes beyond the end of a member of the file",
                "at least " + (inside + 1) + " bytes in " + part.file().getFileName(),
                missing ? "no such file" : part.present() + " bytes")
            .inFile(part.file().toString())
            .atAddress(inside);
      }
      long here = Math.min(left, part.present() - inside);
      at += here;
      left -= here;
    }
  }

  /** Encodes the map for other ranks, which decode it with {@link #decode}. */
  public byte[] encode() {
    StringJoiner text = new StringJoiner(CUT).add(Long.toString(base));
    for (Segment part : parts) {
      text.add(part.file().toString())
          .add(Long.toString(part.stored()))
          .add(Long.toString(part.start()))
          .add(Long.toString(part.bytes().orElse(-1)));
    }
    return text.toString().getBytes(UTF_8);
  }

  /** Decodes a map that another rank has encoded; empty if there are no bytes. */
  public static Optional<SegmentMap> decode(byte[] encoded) {
    if (encoded.length == 0) {
      return Optional.empty();
    }
    List<String> fields = List.of(new String(encoded, UTF_8).split(CUT, -1));
    List<Segment> parts = new ArrayList<>();
    for (int i = 1; i < fields.size(); i += 4) {
      long bytes = Long.parseLong(fields.get(i + 3));
      parts.add(
          new Segment(
              Path.of(fields.get(i)),
              Long.parseLong(fields.get(i + 1)),
              Long.parseLong(fields.get(i + 2)),
              bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes)));
    }
    return Optional.of(new SegmentMap(Long.parseLong(fields.getFirst()), parts));
  }
}
