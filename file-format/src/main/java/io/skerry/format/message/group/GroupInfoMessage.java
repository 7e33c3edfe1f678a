package io.skerry.format.message.group;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.util.Optional;

/**
 * The group info message (0x000A): hints for the storage of links in a new-style group. Source:
 * HDF5 File Format Specification 3.0, section IV.A.2.k, "The Group Info Message".
 *
 * <pre>
 * 00 | flags u8 [bit 0: most compact u16 | fewest dense u16] [bit 1: entries u16 | name length u16]
 * </pre>
 *
 * @param phaseChange the numbers of links at which storage changes between compact and dense, if
 *     not the default
 * @param estimate the expected content, if not the default
 */
public record GroupInfoMessage(Optional<PhaseChange> phaseChange, Optional<Estimate> estimate)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x000A;

  /**
   * The expected content of a group.
   *
   * @param entries the number of links
   * @param nameLength the size of a name in bytes
   */
  public record Estimate(int entries, int nameLength) {}

  /** Returns the message with default values. */
  public static GroupInfoMessage defaults() {
    return new GroupInfoMessage(Optional.empty(), Optional.empty());
  }

  public static GroupInfoMessage decode(ByteReader in) {
    in.expect("group info version", 0, in.u8());
    int flags = in.u8();
    if (flags > 3) {
      throw in.fault("group info flags", "bits 0-1", "0x" + Integer.toHexString(flags));
    }
    Optional<PhaseChange> phase =
        (flags & 1) != 0 ? Optional.of(new PhaseChange(in.u16(), in.u16())) : Optional.empty();
    Optional<Estimate> estimate =
        (flags & 2) != 0 ? Optional.of(new Estimate(in.u16(), in.u16())) : Optional.empty();
    return new GroupInfoMessage(phase, estimate);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(0).u8((phaseChange.isPresent() ? 1 : 0) | (estimate.isPresent() ? 2 : 0));
    phaseChange.ifPresent(p -> out.u16(p.mostCompact()).u16(p.fewestDense()));
    estimate.ifPresent(e -> out.u16(e.entries()).u16(e.nameLength()));
  }
}
