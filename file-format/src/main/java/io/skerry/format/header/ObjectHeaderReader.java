package io.skerry.format.header;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.ContinuationMessage;
import io.skerry.format.message.DamagedMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.NilMessage;
import io.skerry.format.message.SharedMessage;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.group.PhaseChange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** Reads an object header chunk by chunk. {@link ObjectHeader} documents the byte layout. */
final class ObjectHeaderReader {
  /**
   * Maximum number of chunks. A valid header has far fewer, so a header that exceeds this number is
   * treated as damaged.
   */
  private static final int MAX_CHUNKS = 1 << 16;

  /**
   * The constant part of the limit on the total size of a header's shared messages, in bytes. The
   * limit also includes twice the size of the file, since a message is counted when it is read and
   * again when a message of the header is decoded from it.
   */
  private static final long LEAST_SHARED = 1 << 16;

  private static final int LONGEST_PREFIX = 34;
  private static final int EARLY_PREFIX = 16;
  private static final int SHORTEST_CHUNK = 8;

  private final ByteSource source;
  private final Widths widths;
  private final SharedBodies shared;
  private final List<HeaderMessage> messages = new ArrayList<>();
  private final List<Block> chunks = new ArrayList<>();
  private final TreeSet<Block> taken = new TreeSet<>();
  private int next;
  private boolean hasEarlyLayout;

  ObjectHeaderReader(ByteSource source, Widths widths, SharedMessageResolver shared) {
    this.source = source;
    this.widths = widths;
    this.shared = new SharedBodies(shared, 2 * source.size() + LEAST_SHARED);
  }

  ObjectHeader read(long address) {
    long available = Math.min(LONGEST_PREFIX, Math.max(4, source.size() - address));
    MemorySegment start = source.read(address, available);
    if (ByteReader.of(start, "object header").u8() == 1) {
      return readEarly(address);
    }
    ByteReader in = ByteReader.of(start, "object header");
    HeaderPrefix prefix = prefix(in);
    long body = in.uint(prefix.sizeWidth());
    if (body < 0 || body > source.size()) {
      throw in.fault("size of the first chunk", "at most the file", Long.toUnsignedString(body));
    }
    add(new Block(address, prefix.size() + body + 4));
    messages(read(chunks.get(0), prefix.size()), prefix);
    for (next = 1; next < chunks.size(); next++) {
      continuation(prefix);
    }
    return header(prefix);
  }

  private ObjectHeader readEarly(long address) {
    ByteReader in = ByteReader.of(source.read(address, EARLY_PREFIX), "object header");
    // The number of messages is ignored, because old versions of the HDF5 library stored
    // wrong numbers.
    in.skip(4);
    HeaderPrefix prefix = HeaderPrefix.earliest(in.u32());
    add(new Block(address, EARLY_PREFIX + in.u32()));
    for (next = 0; next < chunks.size(); next++) {
      Block chunk = chunks.get(next);
      ByteReader body =
          ByteReader.of(source.read(chunk.address(), chunk.length()), "object header");
      body.skip(next == 0 ? EARLY_PREFIX : 0);
      try {
        messages(body, prefix);
        if (body.remaining() > 0) {
          // The HDF5 library also rejects a gap here, and Skerry's object header writer could not
          // fill one.
          throw body.fault("end of a block of version 1", "no gap", body.remaining() + " bytes");
        }
      } catch (FormatException e) {
        throw e.atAddress(chunk.address());
      }
    }
    return header(prefix);
  }

  private ObjectHeader header(HeaderPrefix prefix) {
    return new ObjectHeader(
        prefix,
        hasEarlyLayout ? EarlyContiguousSize.corrected(messages) : messages,
        new HeaderPlacement(chunks.get(0), chunks.subList(1, chunks.size())));
  }

  private static HeaderPrefix prefix(ByteReader in) {
    in.expectSignature("OHDR");
    in.expect("object header version", 2, in.u8());
    int flags = in.u8();
    if (flags > 0x3f) {
      throw in.fault("object header flags", "bits 0-5", "0x" + Integer.toHexString(flags));
    }
    if ((flags & 0x0c) == 0x08) {
      throw in.fault("attribute order", "tracked if indexed", "indexed only");
    }
    Optional<HeaderPrefix.Times> times =
        (flags & 0x20) != 0
            ? Optional.of(new HeaderPrefix.Times(in.u32(), in.u32(), in.u32(), in.u32()))
            : Optional.empty();
    Optional<PhaseChange> phase =
        (flags & 0x10) != 0 ? Optional.of(new PhaseChange(in.u16(), in.u16())) : Optional.empty();
    AttributeOrder order =
        (flags & 8) != 0
            ? AttributeOrder.INDEXED
            : (flags & 4) != 0 ? AttributeOrder.TRACKED : AttributeOrder.UNTRACKED;
    return new HeaderPrefix(order, phase, times, 1 << (flags & 3));
  }

  private ByteReader read(Block chunk, long skip) {
    MemorySegment bytes = source.read(chunk.address(), chunk.length());
    ByteReader in = ByteReader.of(Checksums.verified(bytes, "object header"), "object header");
    in.skip(skip);
    return in;
  }

  private void continuation(HeaderPrefix prefix) {
    Block chunk = chunks.get(next);
    try {
      ByteReader in = read(chunk, 0);
      in.expectSignature("OCHK");
      messages(in, prefix);
    } catch (FormatException e) {
      throw e.atAddress(chunk.address());
    }
  }

  private void messages(ByteReader in, HeaderPrefix prefix) {
    while (in.remaining() >= prefix.messageHeaderSize()) {
      int type = prefix.version() == 1 ? in.u16() : in.u8();
      int length = in.u16();
      int flags = in.u8();
      in.skip(prefix.version() == 1 ? 3 : 0);
      if (length % prefix.alignment() != 0) {
        throw in.fault(
            "bytes of message type " + type, "a multiple of " + prefix.alignment(), length);
      }
      OptionalInt order =
          prefix.attributeOrder() == AttributeOrder.UNTRACKED
              ? OptionalInt.empty()
              : OptionalInt.of(in.u16());
      ByteReader body = in.sub(length, MessageTypes.name(type));
      switch (type) {
        case NilMessage.TYPE -> {}
        case ContinuationMessage.TYPE ->
            follow(body, ContinuationMessage.decode(body, widths).block());
        default -> add(type, flags, order, body.slice(length));
      }
    }
  }

  private void add(int type, int flags, OptionalInt order, MemorySegment body) {
    checkIgnorable(type, flags);
    ByteReader in = ByteReader.of(body, MessageTypes.name(type));
    hasEarlyLayout |= type == LayoutMessage.TYPE && LayoutMessage.isEarly(body);
    try {
      messages.add(
          (flags & HeaderMessage.SHARED) != 0
              ? shared(type, flags, order, body, in)
              : new HeaderMessage(MessageTypes.decode(type, in, widths, shared), flags, order));
    } catch (FormatException e) {
      FormatException placed = e.inFile(source.name()).atAddress(address());
      messages.add(
          new HeaderMessage(new DamagedMessage(type, Bytes.of(body), placed), flags, order));
    } catch (UnsupportedFeatureException e) {
      messages.add(new HeaderMessage(new DamagedMessage(type, Bytes.of(body), e), flags, order));
    }
  }

  private long address() {
    return chunks.get(0).address();
  }

  private HeaderMessage shared(
      int type, int flags, OptionalInt order, MemorySegment own, ByteReader fields) {
    SharedReference reference = SharedReference.decode(fields, widths);
    Optional<MemorySegment> body = shared.body(type, reference);
    if (body.isEmpty()) {
      return new HeaderMessage(new SharedMessage(type, Bytes.of(own)), flags, order);
    }
    shared.charge(body.get());
    Message message =
        MessageTypes.decode(
            type, ByteReader.of(body.get(), "shared " + fields.structure()), widths, shared);
    return new HeaderMessage(message, flags, order, Optional.of(reference));
  }

  private void checkIgnorable(int type, int flags) {
    if (!MessageTypes.isKnown(type) && (flags & HeaderMessage.FAIL_ALWAYS) != 0) {
      throw new UnsupportedFeatureException(
          "message type 0x" + Integer.toHexString(type) + ", marked as not to be ignored",
          "object header at 0x" + Long.toHexString(address()));
    }
  }

  private void follow(ByteReader in, Block block) {
    Block before = taken.lower(new Block(block.end(), 1));
    if (before != null && before.overlaps(block)) {
      throw in.fault("continuation block", "apart from " + before, block);
    }
    if (block.length() < SHORTEST_CHUNK || chunks.size() >= MAX_CHUNKS) {
      throw in.fault(
          "continuation block", "at least 8 bytes, at most " + MAX_CHUNKS + " blocks", block);
    }
    add(block);
  }

  private void add(Block chunk) {
    chunks.add(chunk);
    taken.add(chunk);
  }
}
