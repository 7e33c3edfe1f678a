package io.skerry.format.header;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.message.ContinuationMessage;
import io.skerry.format.message.NilMessage;
import io.skerry.format.message.UnknownMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Distributes messages over the chunks of an object header. The first chunk never moves, because
 * hard links refer to it. Messages that do not fit are stored in one continuation block. When that
 * block is full, it is freed and replaced by a larger one. The result is deterministic: the same
 * messages and placement, with allocators in the same state, produce the same bytes on every rank.
 * {@link ObjectHeader} documents the byte layout.
 */
public final class ObjectHeaderWriter {
  private static final int MAX_BODY = 0xffff;
  private static final int LEAST_CONTINUATION = 128;

  private final HeaderPrefix prefix;
  private final Widths widths;

  /**
   * Creates a writer.
   *
   * @param prefix the prefix that was read or, for a new header, a new prefix, such as {@link
   *     HeaderPrefix#plain}
   * @param widths the sizes of offsets and lengths in the file
   */
  public ObjectHeaderWriter(HeaderPrefix prefix, Widths widths) {
    this.prefix = prefix;
    this.widths = widths;
  }

  /**
   * Allocates space for a new header.
   *
   * @param messages the messages known so far, all of which will fit into the first chunk
   * @param slack the number of additional bytes for later messages
   * @param allocator the allocator of the file space
   * @throws IllegalArgumentException if the size of the first chunk does not fit into its size
   *     field, or if the body of a message exceeds 65535 bytes
   */
  public HeaderPlacement reserve(
      List<HeaderMessage> messages, int slack, SpaceAllocator allocator) {
    long body = slack;
    for (byte[] message : encode(messages)) {
      body += message.length;
    }
    // A continuation message must always fit; otherwise a full header could not be extended.
    body = Math.max(body, continuationSize());
    int width = prefix.sizeWidth();
    long limit = width == 8 ? Long.MAX_VALUE : (1L << (8 * width)) - 1;
    if (body > limit) {
      throw new IllegalArgumentException(
          "first chunk of an object header too large: bytes=" + body + " limit=" + limit);
    }
    return new HeaderPlacement(
        allocator.allocateBlock(prefix.size() + aligned(body) + prefix.checksumSize()), List.of());
  }

  /**
   * Encodes a header.
   *
   * @param messages all messages of the object, without NIL and continuation messages
   * @param placement the current file space of the header
   * @param allocator the allocator from which a continuation block is allocated if one is needed,
   *     and to which unused continuation blocks are returned
   * @throws FormatException if a continuation block that is freed overlaps free space or is beyond
   *     the end of file
   * @throws UnsupportedFeatureException if the header has an unknown message whose flags forbid
   *     changes to the header, or if the first chunk is too small for a continuation message
   * @throws IllegalArgumentException if the body of a message exceeds 65535 bytes, or if a header
   *     of version 1 needs more than 65535 messages
   */
  public HeaderUpdate write(
      List<HeaderMessage> messages, HeaderPlacement placement, SpaceAllocator allocator) {
    refuseForbidden(messages, placement);
    List<byte[]> encoded = encode(messages);
    int room = Math.toIntExact(bodySize(placement));
    if (total(encoded) <= room) {
      placement.continuations().forEach(allocator::freeStored);
      HeaderPlacement single = new HeaderPlacement(placement.first(), List.of());
      List<byte[]> filled = filled(encoded, room);
      return new HeaderUpdate(single, List.of(firstChunk(filled, single, filled.size())));
    }
    List<byte[]> inFirst = new ArrayList<>();
    List<byte[]> inContinuation = new ArrayList<>();
    if (room < continuationSize()) {
      throw new UnsupportedFeatureException(
          "extending an object header without room for a continuation",
          "object header at 0x" + Long.toHexString(placement.first().address()));
    }
    split(encoded, room - continuationSize(), inFirst, inContinuation);
    Block further = continuation(total(inContinuation), placement, allocator);
    inFirst.add(encode(HeaderMessage.of(new ContinuationMessage(further))));
    HeaderPlacement both = new HeaderPlacement(placement.first(), List.of(further));
    List<byte[]> first = filled(inFirst, room);
    List<byte[]> second =
        filled(
            inContinuation,
            Math.toIntExact(further.length() - prefix.signatureSize() - prefix.checksumSize()));
    return new HeaderUpdate(
        both,
        List.of(
            firstChunk(first, both, first.size() + second.size()), furtherChunk(second, further)));
  }

  private long bodySize(HeaderPlacement placement) {
    return placement.first().length() - prefix.size() - prefix.checksumSize();
  }

  private long aligned(long bytes) {
    return bytes + Math.floorMod(-bytes, (long) prefix.alignment());
  }

  /**
   * Divides the messages by first fit: a message that is too long for the remaining space moves to
   * the continuation, while shorter messages after it can still be placed in the first chunk.
   */
  private static void split(
      List<byte[]> all, int room, List<byte[]> inFirst, List<byte[]> inContinuation) {
    int left = room;
    for (byte[] message : all) {
      if (message.length <= left) {
        inFirst.add(message);
        left -= message.length;
      } else {
        inContinuation.add(message);
      }
    }
  }

  /**
   * Returns the first continuation block that is large enough, or a new one if none is. Frees the
   * other continuation blocks.
   */
  private Block continuation(int bytes, HeaderPlacement placement, SpaceAllocator allocator) {
    long needed = (long) prefix.signatureSize() + bytes + prefix.checksumSize();
    Block kept = null;
    for (Block old : placement.continuations()) {
      if (kept == null && old.length() >= needed) {
        kept = old;
      } else {
        allocator.freeStored(old);
      }
    }
    return kept != null ? kept : allocator.allocateBlock(withSlack(needed));
  }

  /**
   * Adds a quarter to a size, then rounds the result up to a power of two or 1.5 times a power of
   * two, at least 128 bytes, so that later blocks fit exactly into freed ones.
   */
  private static long withSlack(long needed) {
    long wanted = Math.max(needed + needed / 4, LEAST_CONTINUATION);
    long step = Long.highestOneBit(wanted) / 2;
    return (wanted + step - 1) / step * step;
  }

  private static void refuseForbidden(List<HeaderMessage> messages, HeaderPlacement placement) {
    for (HeaderMessage entry : messages) {
      if (isUnknown(entry) && (entry.flags() & HeaderMessage.FAIL_TO_WRITE) != 0) {
        throw new UnsupportedFeatureException(
            "writing beside message type 0x" + Integer.toHexString(entry.message().type()),
            "object header at 0x" + Long.toHexString(placement.first().address()));
      }
    }
  }

  private static boolean isUnknown(HeaderMessage entry) {
    return entry.message() instanceof UnknownMessage(int type, _) && !MessageTypes.isKnown(type);
  }

  private BlockImage firstChunk(List<byte[]> messages, HeaderPlacement placement, int count) {
    Block block = placement.first();
    ByteWriter out = ByteWriter.withCapacity(Math.toIntExact(block.length()));
    if (prefix.version() == 1) {
      if (count > MAX_BODY) {
        throw new IllegalArgumentException(
            "too many messages for an object header of version 1: messages=" + count);
      }
      out.u8(1).u8(0).u16(count).u32(prefix.references());
      out.u32(bodySize(placement)).zeros(4);
    } else {
      prefix(out, placement);
    }
    finish(out, messages, block);
    return new BlockImage(block.address(), BlockKind.OBJECT_HEADER, out.written());
  }

  private void prefix(ByteWriter out, HeaderPlacement placement) {
    int order = prefix.attributeOrder().ordinal();
    int flags = Integer.numberOfTrailingZeros(prefix.sizeWidth());
    flags |= order == 0 ? 0 : order == 1 ? 4 : 12;
    flags |=
        (prefix.phaseChange().isPresent() ? 0x10 : 0) | (prefix.times().isPresent() ? 0x20 : 0);
    out.text("OHDR").u8(2).u8(flags);
    prefix
        .times()
        .ifPresent(t -> out.u32(t.access()).u32(t.modification()).u32(t.change()).u32(t.birth()));
    prefix.phaseChange().ifPresent(p -> out.u16(p.mostCompact()).u16(p.fewestDense()));
    out.uint(bodySize(placement), prefix.sizeWidth());
  }

  private BlockImage furtherChunk(List<byte[]> messages, Block block) {
    ByteWriter out = ByteWriter.withCapacity(Math.toIntExact(block.length()));
    if (prefix.version() == 2) {
      out.text("OCHK");
    }
    finish(out, messages, block);
    return new BlockImage(block.address(), BlockKind.OBJECT_HEADER_CONTINUATION, out.written());
  }

  /** Appends the messages, a gap if space is left and, in version 2, the checksum. */
  private void finish(ByteWriter out, List<byte[]> messages, Block block) {
    messages.forEach(out::bytes);
    out.zeros(Math.toIntExact(block.length() - prefix.checksumSize() - out.position()));
    if (prefix.version() == 2) {
      out.checksumFrom(0);
    }
  }

  /** Adds NIL messages that fill the free space, except for a gap that is too short for one. */
  private List<byte[]> filled(List<byte[]> messages, int room) {
    List<byte[]> filled = new ArrayList<>(messages);
    int header = prefix.messageHeaderSize();
    int left = room - total(messages);
    while (left >= header) {
      int body = Math.min(left - header, MAX_BODY / prefix.alignment() * prefix.alignment());
      body -= body % prefix.alignment();
      // HDF5 rejects a gap after a NIL message, so enough space is left for another NIL message.
      int rest = left - header - body;
      if (rest > 0 && rest < header) {
        body -= header;
      }
      filled.add(encode(HeaderMessage.of(new NilMessage(body))));
      left -= header + body;
    }
    return filled;
  }

  private int continuationSize() {
    return prefix.messageHeaderSize() + Math.toIntExact(aligned(widths.offset() + widths.length()));
  }

  private static int total(List<byte[]> messages) {
    int total = 0;
    for (byte[] message : messages) {
      total = Math.addExact(total, message.length);
    }
    return total;
  }

  private List<byte[]> encode(List<HeaderMessage> messages) {
    return messages.stream().map(this::encode).toList();
  }

  private byte[] encode(HeaderMessage entry) {
    ByteWriter body = ByteWriter.create();
    entry.encodeBody(body, widths, prefix);
    body.zeros(Math.toIntExact(aligned(body.position()) - body.position()));
    if (body.position() > MAX_BODY) {
      throw new IllegalArgumentException(
          "message too large: type=0x"
              + Integer.toHexString(entry.message().type())
              + " bytes="
              + body.position()
              + " limit="
              + MAX_BODY);
    }
    int flags = entry.flags();
    if (isUnknown(entry) && (flags & HeaderMessage.MARK_IF_UNKNOWN) != 0) {
      flags |= HeaderMessage.WAS_UNKNOWN;
    }
    ByteWriter out = ByteWriter.withCapacity(body.position() + 6);
    out.uint(entry.message().type(), prefix.version() == 1 ? 2 : 1);
    out.u16(body.position()).u8(flags).zeros(prefix.version() == 1 ? 3 : 0);
    if (prefix.attributeOrder() != AttributeOrder.UNTRACKED) {
      out.u16(entry.creationOrder().orElse(0));
    }
    return out.bytes(body.written()).toArray();
  }
}
