package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.datatype.Datatype;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.spi.ObjectPath;
import java.util.List;

/** Verifies the block of a contiguous dataset, and follows its values into the global heap. */
final class ContiguousWalk {
  /** The maximum number of bytes that are read at once, unless a single element is larger. */
  private static final int PART_BYTES = 1 << 20;

  private final ByteSource source;
  private final Findings findings;
  private final SpaceClaims claims;
  private final ValueWalk values;

  ContiguousWalk(ByteSource source, Findings findings, SpaceClaims claims, ValueWalk values) {
    this.source = source;
    this.findings = findings;
    this.claims = claims;
    this.values = values;
  }

  void check(Block block, Datatype type, long elements, ObjectPath path) {
    claims.add(SpaceReport.Kind.CONTIGUOUS, path, List.of(block));
    Findings.Place at =
        new Findings.Place(block.address(), SpaceReport.Kind.CONTIGUOUS.text(), path);
    long bytes = elements * type.size();
    if (block.length() < bytes) {
      findings.add(at, "bytes of contiguous data", "at least " + bytes, block.length());
      return;
    }
    if (block.end() > source.size()) {
      findings.add(
          at,
          "contiguous data beyond the end of the file",
          "an end of at most 0x" + Long.toHexString(source.size()),
          "0x" + Long.toHexString(block.end()));
      return;
    }
    if (ValueWalk.leadElsewhere(type)) {
      long part = Math.max(1, PART_BYTES / type.size());
      for (long done = 0; done < elements; done += part) {
        long first = block.address() + done * type.size();
        long count = Math.min(part, elements - done);
        findings.check(
            at, () -> values.follow(type, source.read(first, count * type.size()), count));
      }
    }
  }
}
