package io.skerry.format.message.group;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.datatype.CharacterSet;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.CharacterSets;
import io.skerry.format.message.Message;
import java.util.OptionalLong;

/**
 * The link message (0x0006): one link of a group. Source: HDF5 File Format Specification 3.0,
 * section IV.A.2.g, "The Link Message".
 *
 * <pre>
 * 01 | flags u8: bits 0-1 log2 of the width of the name length, 2 creation order present,
 *      3 type present, 4 character set present
 * [type u8: 0 hard, 1 soft, 64 external, 65 to 255 user-defined]
 * [creation order u64] [character set u8]
 * name length (1, 2, 4 or 8) | name
 * hard: address O
 * soft: length u16 | path
 * external: length u16 | version and flags u8, 0 | file NUL path NUL
 * user-defined: length u16 | bytes
 * </pre>
 *
 * @param name the link name, without slashes
 * @param creationOrder the creation order, if the group tracks it
 * @param characters the character set of the name
 * @param target the target of the link
 */
public record LinkMessage(
    String name, OptionalLong creationOrder, CharacterSet characters, LinkTarget target)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0006;

  private static final int SOFT = 1;
  private static final int EXTERNAL = 64;

  /**
   * Creates a link without creation order. The character set of its name is ASCII if the name
   * contains only ASCII characters, otherwise UTF-8.
   */
  public static LinkMessage of(String name, LinkTarget target) {
    return new LinkMessage(name, OptionalLong.empty(), CharacterSets.of(name), target);
  }

  /** Decodes a body. */
  public static LinkMessage decode(ByteReader in, Widths widths) {
    in.expect("link version", 1, in.u8());
    int flags = in.u8();
    if (flags > 0x1f) {
      throw in.fault("link flags", "bits 0-4", "0x" + Integer.toHexString(flags));
    }
    int kind = (flags & 8) != 0 ? in.u8() : 0;
    OptionalLong order = (flags & 4) != 0 ? OptionalLong.of(in.i64()) : OptionalLong.empty();
    CharacterSet characters = (flags & 16) != 0 ? CharacterSets.decode(in) : CharacterSet.ASCII;
    long length = in.uint(1 << (flags & 3));
    if (length == 0) {
      throw in.fault("length of a link name", "at least 1", 0);
    }
    String name = in.text(length);
    return new LinkMessage(name, order, characters, target(in, widths, kind));
  }

  private static LinkTarget target(ByteReader in, Widths widths, int kind) {
    return switch (kind) {
      case 0 -> new LinkTarget.Hard(widths.readDefinedAddress(in, "link address"));
      case SOFT -> new LinkTarget.Soft(in.text(in.u16()));
      case EXTERNAL -> {
        ByteReader value = in.sub(in.u16(), "external link");
        value.expect("external link version and flags", 0, value.u8());
        yield new LinkTarget.External(value.textToNul(), value.textToNul());
      }
      default -> {
        if (kind < EXTERNAL) {
          throw in.fault("link type", "0, 1 or 64 to 255", kind);
        }
        yield new LinkTarget.UserDefined(kind, Bytes.of(in.slice(in.u16())));
      }
    };
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    byte[] text = StoredText.encode(name);
    int kind =
        switch (target) {
          case LinkTarget.Hard _ -> 0;
          case LinkTarget.Soft _ -> SOFT;
          case LinkTarget.External _ -> EXTERNAL;
          case LinkTarget.UserDefined u -> u.linkClass();
        };
    int lengthBits = text.length < 256 ? 0 : text.length < 65536 ? 1 : 2;
    int utf = characters == CharacterSet.UTF8 ? 16 : 0;
    out.u8(1);
    out.u8(lengthBits | (creationOrder.isPresent() ? 4 : 0) | (kind != 0 ? 8 : 0) | utf);
    if (kind != 0) {
      out.u8(kind);
    }
    creationOrder.ifPresent(out::u64);
    if (utf != 0) {
      out.u8(characters.ordinal());
    }
    out.uint(text.length, 1 << lengthBits).bytes(text);
    encodeTarget(out, widths);
  }

  private void encodeTarget(ByteWriter out, Widths widths) {
    switch (target) {
      case LinkTarget.Hard(long address) -> widths.writeAddress(out, address);
      case LinkTarget.Soft(String path) -> {
        byte[] text = StoredText.encode(path);
        out.u16(checkedLength(text.length)).bytes(text);
      }
      case LinkTarget.External(String file, String path) -> {
        byte[] fileText = StoredText.encode(file);
        byte[] pathText = StoredText.encode(path);
        out.u16(checkedLength(fileText.length + pathText.length + 3)).u8(0);
        out.bytes(fileText).u8(0).bytes(pathText).u8(0);
      }
      case LinkTarget.UserDefined(int _, Bytes data) ->
          out.u16(checkedLength(data.size())).bytes(data.segment());
    }
  }

  private static int checkedLength(int length) {
    if (length > 0xffff) {
      throw new IllegalArgumentException("link value too long: bytes=" + length + " limit=65535");
    }
    return length;
  }
}
