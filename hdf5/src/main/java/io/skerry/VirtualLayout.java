package io.skerry;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The layout of a virtual dataset: the mappings of its elements to elements of other datasets, like
 * {@code VirtualLayout} in h5py. Elements without a mapping have the fill value; if mappings
 * overlap, the last one whose source exists applies. Immutable; {@link DatasetSpec#virtual} creates
 * a dataset from it.
 *
 * {@snippet :
 * VirtualLayout.Builder layout = VirtualLayout.builder();
 * for (int run = 0; run < 3; run++) {
 *   layout.map(
 *       Selection.at(run, 0).extent(1, 100), VirtualSource.of("run" + run + ".h5", "/frame"));
 * }
 * file.createDataset(
 *     "all", DatasetSpec.of(Datatype.F32, Shape.of(3, 100)).virtual(layout.build()));
 * }
 *
 * @param mappings the mappings, in the order in which they are stored
 */
public record VirtualLayout(List<Mapping> mappings) {
  /** Copies the list. Local, thread-safe; does not fail. */
  public VirtualLayout {
    mappings = List.copyOf(mappings);
  }

  /**
   * A mapping: the elements of the virtual selection are, in selection order, those of the source.
   *
   * @param virtual the elements of the virtual dataset; all, none, a hyperslab, which may be
   *     unlimited in one dimension, or a union of blocks
   * @param source the elements of another dataset to which they are mapped
   */
  public record Mapping(Selection virtual, VirtualSource source) {}

  /**
   * Returns a builder without mappings. Local, thread-safe; does not fail.
   *
   * @return the builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the mappings of a layout. Equal names share one string. Local; not thread-safe. */
  public static final class Builder {
    private final List<Mapping> mappings = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();

    private Builder() {}

    /**
     * Adds a mapping. Local.
     *
     * @param virtual the elements of the virtual dataset
     * @param source the elements of another dataset to which they are mapped
     * @return this builder
     * @throws IllegalArgumentException if a selection is a list of points or is unlimited in more
     *     than one dimension, the numbers of elements are known and differ, a name is empty,
     *     contains a NUL or has a percent sign that is not followed by {@code b} or {@code %}, the
     *     source selection is unlimited and the virtual selection is not, or a name has a {@code
     *     %b} although the virtual selection is limited or has blocks of unlimited size, or the
     *     source selection is unlimited; also if only the virtual selection is unlimited and no
     *     name has a {@code %b}
     * @throws ArithmeticException if a selection has more than 2^63 - 1 elements
     */
    public Builder map(Selection virtual, VirtualSource source) {
      Mapping mapping =
          new Mapping(
              virtual,
              new VirtualSource(
                  shared(source.file()), shared(source.dataset()), source.selection()));
      VirtualRules.check(mapping);
      mappings.add(mapping);
      return this;
    }

    private String shared(String name) {
      return names.computeIfAbsent(name, same -> same);
    }

    /**
     * Returns the layout with the mappings added so far. Local; does not fail.
     *
     * @return the layout
     */
    public VirtualLayout build() {
      return new VirtualLayout(mappings);
    }
  }

  /**
   * Returns the number of mappings and a digest of them. Local, thread-safe.
   *
   * @return the text; layouts with equal mappings have equal texts
   * @throws io.skerry.exception.UnsupportedFeatureException if a selection is unlimited in more
   *     than one dimension, which {@link Builder#map} refuses
   */
  @Override
  public String toString() {
    MessageDigest digest = sha256();
    for (Mapping mapping : mappings) {
      ByteWriter out = ByteWriter.create();
      for (String name : List.of(mapping.source.file(), mapping.source.dataset())) {
        byte[] text = StoredText.encode(name);
        out.u32(text.length).bytes(text);
      }
      SelectionCodec.encodeSelection(
          mapping.source.selection(), SelectionEncoding.LIBRARY_V112, out);
      SelectionCodec.encodeSelection(mapping.virtual, SelectionEncoding.LIBRARY_V112, out);
      digest.update(out.toArray());
    }
    String hex = HexFormat.of().formatHex(digest.digest());
    return mappings.size() + " mappings sha256=" + hex;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
