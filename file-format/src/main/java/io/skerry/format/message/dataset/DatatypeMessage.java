package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.datatype.DatatypeCodec;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.util.HashSet;
import java.util.Set;

/**
 * The datatype message (0x0003), stored as bytes and decoded on demand, so that a header with an
 * unsupported datatype can be opened. Source: HDF5 File Format Specification 3.0, section IV.A.2.d,
 * "The Datatype Message".
 *
 * <pre>
 * off bytes field
 * 0   1     class (low four bits), version (high four)
 * 1   3     bit field of the class
 * 4   4     size of an element in bytes
 * 8   -     properties of the class
 * </pre>
 *
 * @param body the encoded datatype
 */
public record DatatypeMessage(Bytes body) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0003;

  /**
   * Returns the message for a datatype that a program created. Messages that were read from a file
   * keep their bytes, so they may contain a compound that this method would reject.
   *
   * @throws IllegalArgumentException if two members of a compound have the same name, which HDF5
   *     also rejects
   */
  public static DatatypeMessage of(Datatype type) {
    checkNames(type);
    ByteWriter out = ByteWriter.create();
    DatatypeCodec.encode(type, out);
    return new DatatypeMessage(Bytes.of(out.written()));
  }

  private static void checkNames(Datatype type) {
    switch (type) {
      case Compound compound -> {
        Set<String> names = new HashSet<>();
        for (Compound.Member member : compound.members()) {
          if (!names.add(member.name())) {
            throw new IllegalArgumentException(
                "two members of a compound have the same name: member=" + member.name());
          }
          checkNames(member.type());
        }
      }
      case ArrayType array -> checkNames(array.base());
      case VariableLength sequence -> checkNames(sequence.base());
      default -> {}
    }
  }

  /**
   * Decodes the datatype.
   *
   * @throws io.skerry.exception.FormatException if the datatype is damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if it contains an unknown class, or an
   *     enumeration whose base type is not an integer of at most 8 bytes
   */
  public Datatype datatype() {
    return DatatypeCodec.decode(ByteReader.of(body.segment(), "datatype message"));
  }

  public static DatatypeMessage decode(ByteReader in) {
    Bytes body = Bytes.of(in.slice(in.remaining()));
    if (body.size() < 8) {
      throw in.fault("bytes of a datatype", "at least 8", body.size());
    }
    return new DatatypeMessage(body);
  }

  /** Returns the size in bytes of an element in the file. */
  public long elementSize() {
    ByteReader in = ByteReader.of(body.segment(), "datatype message");
    in.skip(4);
    return in.u32();
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
