package io.skerry.format.object;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.format.ByteSource;
import io.skerry.format.Widths;
import java.util.List;
import java.util.Optional;

/**
 * An object header of version 2: what an object is. Start here to read one; {@link
 * ObjectHeaderWriter} writes.
 *
 * <pre>
 * first chunk:  "OHDR" | 02 | flags u8 | [times 4 x u32] | [most compact u16 | fewest dense u16]
 *               | size of the messages | messages | gap | lookup3 of all before
 * further ones: "OCHK" | messages | gap | lookup3 of all before
 * message:      type u8 | body bytes u16 | flags u8 | [creation order u16] | body
 * flags:        bits 0-1 log2 of the width of the size, 2 attribute order tracked, 3 indexed,
 *               4 phase change stored, 5 times stored
 * </pre>
 *
 * <p>A gap is shorter than a message header. Source: format specification, "Version 2 Data Object
 * Header Prefix".
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
   * Reads the header of an object.
   *
   * @param address where links point to
   * @throws FormatException if it is damaged, naming file and address
   * @throws UnsupportedFeatureException for a header of version 1, and for a message that its
   *     writer forbids to ignore
   */
  public static ObjectHeader read(ByteSource source, Widths widths, long address) {
    try {
      return new ObjectHeaderReader(source, widths).read(address);
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
   * @throws UnsupportedFeatureException if there is one, but it stands elsewhere (a committed
   *     datatype, a shared message)
   */
  public <M extends Message> Optional<M> find(Class<M> kind) {
    for (HeaderMessage entry : messages) {
      if (kind.isInstance(entry.message())) {
        return Optional.of(kind.cast(entry.message()));
      }
    }
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

  /** All messages of a kind, in order; shared ones are not among them. */
  public <M extends Message> List<M> all(Class<M> kind) {
    return messages.stream()
        .map(HeaderMessage::message)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }
}
