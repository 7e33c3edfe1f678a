package io.skerry.internal.dataset.through;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.chunk.datatype.DatatypeCodec;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Shape;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A missing source of a virtual dataset, which a write creates.
 *
 * @param file the file of the source
 * @param access {@link FileAccess#WRITE} if the file exists, otherwise {@link
 *     FileAccess#CREATE_NEW}
 * @param path the path of the source in its file
 * @param type the datatype of its elements
 * @param shape its extent
 * @param fill its fill value; empty for zeros
 */
public record MissingSource(
    Found file, FileAccess access, String path, Datatype type, Shape shape, Optional<byte[]> fill) {
  DatasetSpec spec() {
    DatasetSpec spec = DatasetSpec.of(type, shape);
    return fill.map(spec::fillValue).orElse(spec);
  }

  /** Encodes the source for the other ranks. */
  void encode(ByteWriter out) {
    encode(file, out);
    out.u8(access == FileAccess.WRITE ? 1 : 0);
    text(path, out);
    DatatypeCodec.encode(type, out);
    out.u32(shape.rank());
    for (int d = 0; d < shape.rank(); d++) {
      out.u64(shape.extent(d)).u64(shape.maximum(d));
    }
    byte[] value = fill.orElse(new byte[0]);
    out.u32(value.length).bytes(value);
  }

  static MissingSource decode(ByteReader in) {
    Found file = file(in);
    FileAccess access = in.u8() == 1 ? FileAccess.WRITE : FileAccess.CREATE_NEW;
    String path = text(in);
    Datatype type = DatatypeCodec.decode(in);
    long[] extent = new long[(int) in.u32()];
    long[] maximum = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      extent[d] = in.i64();
      maximum[d] = in.i64();
    }
    byte[] value = in.slice(in.u32()).toArray(ValueLayout.JAVA_BYTE);
    return new MissingSource(
        file,
        access,
        path,
        type,
        Shape.of(extent, maximum),
        value.length == 0 ? Optional.empty() : Optional.of(value));
  }

  static void encode(Found file, ByteWriter out) {
    text(file.named().toString(), out);
    text(file.path().toString(), out);
  }

  static Found file(ByteReader in) {
    return new Found(Path.of(text(in)), Path.of(text(in)));
  }

  static void text(String text, ByteWriter out) {
    byte[] bytes = StoredText.encode(text);
    out.u32(bytes.length).bytes(bytes);
  }

  static String text(ByteReader in) {
    return in.text(in.u32());
  }
}
