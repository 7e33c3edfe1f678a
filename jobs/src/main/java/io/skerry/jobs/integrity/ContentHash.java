package io.skerry.jobs.integrity;

import io.skerry.Attribute;
import io.skerry.ChunkAlignedBlocks;
import io.skerry.Dataset;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.internal.value.CanonicalForm;
import io.skerry.value.Contents;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Computes the SHA-256 digest of elements in their {@linkplain CanonicalForm canonical form}, which
 * does not depend on the layout, filters or byte order in the file.
 */
final class ContentHash {
  /**
   * The maximum number of bytes of dataset elements read into memory at a time; at least one
   * element is read.
   */
  private static final long PART_BYTES = 32L << 20;

  private static final BigInteger MODULUS = BigInteger.TWO.pow(256);

  private final MessageDigest sha256;

  private ContentHash() {
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns the digest of the elements of an attribute, in hexadecimal. */
  static String of(Attribute attribute, Contents contents) {
    ContentHash hash = new ContentHash();
    byte[] packed = attribute.bytes();
    new CanonicalForm(attribute.datatype(), contents)
        .write(MemorySegment.ofArray(packed), attribute.shape().elements(), hash::add);
    return hash.text();
  }

  /**
   * Returns the digest of the elements of a dataset, in hexadecimal. The dataset is read part by
   * part, so it need not fit into memory.
   */
  static String of(Dataset dataset) {
    ContentHash hash = new ContentHash();
    Datatype type = dataset.datatype();
    new ChunkAlignedBlocks(dataset.shape(), dataset.storage().chunk(), PART_BYTES / type.size())
        .forEach(part -> {
          StoredElements read = dataset.readElements(part);
          MemorySegment elements = read.packed();
          CanonicalForm form = new CanonicalForm(type, read.contents());
          if (dataset.shape().rank() == 0) {
            form.writeScalar(elements, hash::add);
          } else {
            form.write(elements, elements.byteSize() / type.size(), hash::add);
          }
        });
    return hash.text();
  }

  /**
   * Returns the digest of the pairs of a map, in hexadecimal: the sum, modulo 2^256, of the digests
   * of all pairs, since the order of the pairs depends on the store. The digest of a pair is that
   * of the text of key and value as {@link io.skerry.value.Value} prints them, in UTF-8, each
   * followed by a NUL.
   */
  static String of(MapObject map) {
    ContentHash hash = new ContentHash();
    BigInteger[] sum = {BigInteger.ZERO};
    Optional<MapObject.Position> unused =
        map.iteratePairs(
            Optional.empty(),
            (key, value) -> {
              byte[] text = (key + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8);
              BigInteger pair = new BigInteger(1, hash.sha256.digest(text));
              sum[0] = sum[0].add(pair).mod(MODULUS);
              return MapObject.Next.CONTINUE;
            });
    return String.format("%064x", sum[0]);
  }

  private void add(MemorySegment bytes) {
    sha256.update(bytes.asByteBuffer());
  }

  private String text() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
