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
 * An object header: the messages that describe an object. Versions 1 and 2 are read and written.
 * {@link #read} decodes a header; {@link ObjectHeaderWriter} encodes it.
 *
 * <pre>
 * version 2
 * first chunk:  "OHDR" | 02 | flags u8 | [times 4 x u32] | [most compact u16 | fewest dense u16]
 *               | size of the messages | messages | gap | lookup3 checksum
 * continuation: "OCHK" | messages | gap | lookup3 checksum
 * message:      type u8 | body size u16 | flags u8 | [creation order u16] | body
 * flags:        bits 0-1 log2 of the width of the size, 2 attribute order tracked, 3 indexed,
 *               4 phase change stored, 5 times stored
 *
 * version 1
 * first chunk:  01 | reserved u8 | messages in all chunks u16 | hard links u32
 *               | size of the messages u32 | reserved 4 | messages
 * continuation: messages
 * message:      type u16 | body size u16, a multiple of 8 | flags u8 | reserved 3 | body
 * </pre>
 *
 * <p>A gap is shorter than a message header. Version 1 has no checksum. Source: HDF5 File Format
 * Specification 3.0, section IV.A, "Data Object Headers".
 *
 * @param prefix the fields before the messages
 * @param messages the messages in order, without NIL and continuation messages
 * @param placement the file space of the header
 */
public record ObjectHeader(
    HeaderPrefix prefix, List<HeaderMessage> messages, HeaderPlacement placement) {
  public ObjectHeader {
    messages = List.copyOf(messages);
  }

  /**
   * Reads the header of an object. Shared messages are left as references.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param address the address of the object
   * @throws FormatException if the header is damaged; the exception names the file and the address
   * @throws UnsupportedFeatureException if the header has an unknown message that must not be
   *     ignored
   */
  public static ObjectHeader read(ByteSource source, Widths widths, long address) {
    return read(source, widths, address, SharedMessageResolver.unread());
  }

  /**
   * Reads the header of an object.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param address the address of the object
   * @param shared the resolver for shared messages
   * @throws FormatException if the header is damaged; the exception names the file and the address
   * @throws UnsupportedFeatureException if the header has an unknown message that must not be
   *     ignored
   */
  public static ObjectHeader read(
      ByteSource source, Widths widths, long address, SharedMessageResolver shared) {
    try {
      return new ObjectHeaderReader(source, widths, shared).read(address);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address).inObject("object header");
    }
  }

  /** Returns the address of the object, to which hard links refer. */
  public long address() {
    return placement.first().address();
  }

  /**
   * Returns the first message of a class; empty if there is none.
   *
   * @throws FormatException if no message of the class could be decoded, because one is damaged
   * @throws UnsupportedFeatureException if no message of the class could be decoded, because one
   *     uses an unsupported feature or is shared and the header was read without resolving shared
   *     messages
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
   * Returns the first message of a class, which must exist.
   *
   * @throws FormatException if there is none, or if none could be decoded because one is damaged
   * @throws UnsupportedFeatureException if no message of the class could be decoded, because one
   *     uses an unsupported feature or is shared and the header was read without resolving shared
   *     messages
   */
  public <M extends Message> M require(Class<M> kind) {
    return find(kind)
        .orElseThrow(() ->
            new FormatException("missing message", kind.getSimpleName(), "none")
                .atAddress(address())
                .inObject("object header"));
  }

  /**
   * Returns the reference count of the object: the number of its hard links and, for a committed
   * datatype, of the messages that refer to it.
   */
  public long references() {
    return prefix.version() == 1
        ? prefix.references()
        : find(ReferenceCountMessage.class).map(ReferenceCountMessage::count).orElse(1L);
  }

  /** Returns this header with a different reference count. */
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

  /**
   * Returns the location of the content of the first message of a class; empty if there is no such
   * message, or if its content is stored in this header. Ignores messages that were left as
   * references.
   */
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

  /**
   * Returns whether the header has a message of a class, even if the message is damaged or was left
   * as a reference.
   */
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
   * Returns all messages of a class, in order, except shared ones that were not resolved.
   *
   * @throws FormatException if a message of the class is damaged
   * @throws UnsupportedFeatureException if a message of the class uses an unsupported feature
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
