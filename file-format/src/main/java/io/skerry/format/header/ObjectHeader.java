package io.skerry.format.header;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.message.DamagedMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.ReferenceCountMessage;
import io.skerry.format.message.SharedMessage;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.SharedReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An object header: what an object is. Start here to read one; {@link ObjectHeaderWriter} writes.
 * Both versions are read and written; the prefix tells which it is.
 *
 * <pre>
 * version 2
 * first chunk:  "OHDR" | 02 | flags u8 | [times 4 x u32] | [most compact u16 | fewest dense u16]
 *               | size of the messages | messages | gap | lookup3 of all before
 * further ones: "OCHK" | messages | gap | lookup3 of all before
 * message:      type u8 | body bytes u16 | flags u8 | [creation order u16] | body
 * flags:        bits 0-1 log2 of the width of the size, 2 attribute order tracked, 3 indexed,
 *               4 phase change stored, 5 times stored
 *
 * version 1
 * first chunk:  01 | reserved u8 | messages in all chunks u16 | hard links u32
 *               | size of the messages u32 | reserved 4 | messages
 * further ones: messages
 * message:      type u16 | body bytes u16, a multiple of 8 | flags u8 | reserved 3 | body
 * </pre>
 *
 * <p>A gap is shorter than a message header. Version 1 has no checksum. Source: format
 * specification, "Data Object Headers".
 *
 * @param prefix what the header says of itself
 * @param messages what it says of the object, in order; free space and continuations left out
 * @param placement where it is
 */
public record ObjectHeader(
    HeaderPrefix prefix, List<HeaderMessage> messages, HeaderPlacement placement) {
  public ObjectHeader {
    messages = List.copyOf(messages);
  }

  /**
   * Reads the header of an object; messages that stand elsewhere are not fetched.
   *
   * @param address where links point to
   * @throws FormatException if it is damaged, naming file and address
   * @throws UnsupportedFeatureException for a message that its writer forbids to ignore
   */
  public static ObjectHeader read(ByteSource source, Widths widths, long address) {
    return read(source, widths, address, SharedMessageResolver.unread());
  }

  /**
   * Reads the header of an object.
   *
   * @param address where links point to
   * @param shared fetches the messages that stand elsewhere
   * @throws FormatException if it is damaged, naming file and address
   * @throws UnsupportedFeatureException for a message that its writer forbids to ignore
   */
  public static ObjectHeader read(
      ByteSource source, Widths widths, long address, SharedMessageResolver shared) {
    try {
      return new ObjectHeaderReader(source, widths, shared).read(address);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address).inObject("object header");
    }
  }

  /** The object's address: where links point to. */
  public long address() {
    return placement.first().address();
  }

  /**
   * The first message of a kind.
   *
   * @throws FormatException if there is none, but one that could not be read
   * @throws UnsupportedFeatureException if there is one, but it stands elsewhere and the header was
   *     read without fetching those
   */
  public <M extends Message> Optional<M> find(Class<M> kind) {
    for (HeaderMessage entry : messages) {
      if (kind.isInstance(entry.message())) {
        return Optional.of(kind.cast(entry.message()));
      }
    }
    checkReadable(kind);
    int type = MessageTypes.of(kind);
    for (HeaderMessage entry : messages) {
      if (entry.message() instanceof SharedMessage shared && shared.type() == type) {
        throw new UnsupportedFeatureException(
            "shared message of type 0x" + Integer.toHexString(type),
            "object header at 0x" + Long.toHexString(address()));
      }
    }
    return Optional.empty();
  }

  /**
   * The first message of a kind that the object cannot do without.
   *
   * @throws FormatException if there is none
   * @throws UnsupportedFeatureException if it stands elsewhere
   */
  public <M extends Message> M require(Class<M> kind) {
    return find(kind)
        .orElseThrow(() ->
            new FormatException("missing message", kind.getSimpleName(), "none")
                .atAddress(address())
                .inObject("object header"));
  }

  /** The object's number of hard links. */
  public long references() {
    return prefix.version() == 1
        ? prefix.references()
        : find(ReferenceCountMessage.class).map(ReferenceCountMessage::count).orElse(1L);
  }

  /** This header with another number of hard links. */
  public ObjectHeader withReferences(long count) {
    if (prefix.version() == 1) {
      return new ObjectHeader(HeaderPrefix.earliest(count), messages, placement);
    }
    List<HeaderMessage> edited = new ArrayList<>(messages);
    edited.removeIf(entry -> entry.message() instanceof ReferenceCountMessage);
    if (count != 1) {
      edited.add(HeaderMessage.of(new ReferenceCountMessage(count)));
    }
    return new ObjectHeader(prefix, edited, placement);
  }

  /** Where the first message of a kind really stands, if not in this header. */
  public Optional<SharedReference> sharedReference(Class<? extends Message> kind) {
    return messages.stream()
        .filter(entry -> kind.isInstance(entry.message()))
        .findFirst()
        .flatMap(HeaderMessage::shared);
  }

  private void checkReadable(Class<? extends Message> kind) {
    int type = MessageTypes.of(kind);
    for (HeaderMessage entry : messages) {
      if (entry.message() instanceof DamagedMessage damaged && damaged.type() == type) {
        throw damaged.freshFault();
      }
    }
  }

  /** Whether there is a message of a kind, readable or not. */
  public boolean has(Class<? extends Message> kind) {
    int type = MessageTypes.of(kind);
    for (HeaderMessage entry : messages) {
      if (kind.isInstance(entry.message()) || entry.message().type() == type) {
        return true;
      }
    }
    return false;
  }

  /**
   * All messages of a kind, in order; shared ones that were not fetched are not among them.
   *
   * @throws FormatException if one could not be read
   */
  public <M extends Message> List<M> all(Class<M> kind) {
    checkReadable(kind);
    List<M> found = new ArrayList<>();
    for (HeaderMessage entry : messages) {
      if (kind.isInstance(entry.message())) {
        found.add(kind.cast(entry.message()));
      }
    }
    return List.copyOf(found);
  }
}
