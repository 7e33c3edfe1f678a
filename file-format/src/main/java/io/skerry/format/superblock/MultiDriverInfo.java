package io.skerry.format.superblock;

import io.skerry.chunk.bytes.ByteReader;
import java.util.ArrayList;
import java.util.List;

/** Decodes the information of the multi driver, whose layout {@link DriverInfo} documents. */
final class MultiDriverInfo {
  private static final int KINDS = 6;
  private static final String COMMON = "%s";

  private MultiDriverInfo() {}

  static DriverInfo.Multi decode(ByteReader in) {
    int count = countMembers(in);
    in.skip(2);
    long[] starts = new long[count];
    long[] bytes = new long[count];
    for (int i = 0; i < count; i++) {
      starts[i] = in.i64();
      bytes[i] = in.i64();
    }
    List<DriverInfo.Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(new DriverInfo.Member(starts[i], bytes[i], suffix(in)));
    }
    members.sort((a, b) -> Long.compareUnsigned(a.start(), b.start()));
    checkStarts(in, members);
    return new DriverInfo.Multi(members);
  }

  private static int countMembers(ByteReader in) {
    List<Integer> order = new ArrayList<>();
    for (int kind = 1; kind <= KINDS; kind++) {
      int mapped = in.u8();
      if (mapped > KINDS) {
        throw in.fault("member map", "0 to " + KINDS, mapped);
      }
      int member = mapped == 0 ? kind : mapped;
      if (!order.contains(member)) {
        order.add(member);
      }
    }
    return order.size();
  }

  /**
   * Reads the template of a member name, which must be "%s" followed by a suffix, and returns the
   * suffix. Rejects an empty suffix, a suffix that contains "%", and a suffix that contains "/",
   * since a member is always in the directory of the file that is opened.
   */
  private static String suffix(ByteReader in) {
    long start = in.position();
    String template = in.textToNul();
    long padding = start - in.position() & 7;
    // The last name need not be padded.
    in.skip(Math.min(padding, in.remaining()));
    String suffix = template.startsWith(COMMON) ? template.substring(COMMON.length()) : "";
    if (suffix.isEmpty() || suffix.contains("%") || suffix.contains("/")) {
      throw in.fault("name of a member", "%s and a suffix without % and /", template);
    }
    return suffix;
  }

  private static void checkStarts(ByteReader in, List<DriverInfo.Member> members) {
    for (int i = 0; i < members.size(); i++) {
      long start = members.get(i).start();
      boolean good = i == 0 ? start == 0 : start != members.get(i - 1).start();
      if (!good) {
        throw in.fault(
            "first address of a member",
            i == 0 ? "0" : "one of its own",
            Long.toUnsignedString(start));
      }
    }
  }
}
