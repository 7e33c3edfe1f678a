package io.skerry.jobs.interchange.form;

import io.skerry.Attribute;
import io.skerry.ChunkAlignedBlocks;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.exception.FormatException;
import io.skerry.filter.FilterSpec;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes and reads an array as a dense dataset, with the fill value for undefined elements. If the
 * value of a defined element equals the fill value, a second dataset in the same group is the mask
 * of defined elements: booleans as in h5py, with the same shape. The attribute {@code defined-mask}
 * of the first dataset holds the name of the mask.
 */
public final class DenseForm {
  private static final String MASK = "defined-mask";
  private static final String SUFFIX = "-defined";

  /** The boolean type of h5py. */
  private static final Enumeration TRUTH =
      new Enumeration(
          Datatype.I8,
          List.of(new Enumeration.Member("FALSE", 0), new Enumeration.Member("TRUE", 1)));

  private static final long PART_BYTES = 1 << 24;

  private DenseForm() {}

  /** Returns the paths that {@link #write} may create for an array: the dataset and its mask. */
  public static List<String> paths(String path) {
    return List.of(path, path + SUFFIX);
  }

  /**
   * Writes an array.
   *
   * @param path the path of the new dataset
   * @return the number of defined elements
   */
  public static long write(ElementView view, H5File file, String path, List<FilterSpec> filters) {
    byte[] fill = view.dataset().fillValue();
    AbsentValue absent = AbsentValue.exactly(fill);
    long[] counts = {0, 0};
    view.watchedBy(_ -> {})
        .forEach(entries -> {
          counts[0] += entries.count();
          for (int i = 0; i < entries.count(); i++) {
            counts[1] += absent.is(entries.values(), i) ? 1 : 0;
          }
        });
    Dataset dense =
        file.createDataset(path, spec(view.dataset().datatype(), view, filters).fillValue(fill));
    Optional<Dataset> mask = Optional.empty();
    if (counts[1] > 0) {
      mask = Optional.of(file.createDataset(path + SUFFIX, spec(TRUTH, view, filters)));
      String name = path.substring(path.lastIndexOf('/') + 1) + SUFFIX;
      dense.setAttribute(Attribute.of(MASK, name));
    }
    copy(view, dense, mask);
    return counts[0];
  }

  private static DatasetSpec spec(Datatype type, ElementView view, List<FilterSpec> filters) {
    Shape shape = Shape.of(view.extent());
    DatasetSpec spec = DatasetSpec.of(type, shape);
    return shape.elements() == 0
        ? spec
        : spec.chunked().filters(filters.toArray(FilterSpec[]::new));
  }

  private static void copy(ElementView view, Dataset dense, Optional<Dataset> mask) {
    view.forEach(entries -> {
      Selection points = Selection.points(entries.rank(), entries.coordinates());
      dense.write(points, dense.datatype(), entries.values());
      if (mask.isPresent()) {
        byte[] truths = new byte[entries.count()];
        Arrays.fill(truths, (byte) 1);
        mask.get().write(points, truths);
      }
    });
  }

  /**
   * Opens the array in a dataset.
   *
   * @param undefined the bytes of the value that marks undefined elements; if the value is a NaN,
   *     every NaN marks an undefined element. If empty, the mask determines the defined elements;
   *     without a mask, all elements whose bytes differ from the fill value are defined.
   * @throws FormatException if the shape of the mask differs from that of the dataset, if the
   *     elements of the mask have more than one byte, or if the attribute that names the mask is
   *     not a single string
   */
  public static ElementSource open(InterchangeSource from, Optional<byte[]> undefined) {
    Dataset dense = from.dataset();
    Optional<Dataset> mask = Optional.empty();
    Optional<String> named =
        undefined.isPresent() ? Optional.empty() : InterchangeGroup.text(dense, MASK);
    if (named.isPresent()) {
      int end = from.path().lastIndexOf('/') + 1;
      Dataset found = from.file().dataset(from.path().substring(0, end) + named.get());
      if (!found.shape().equals(dense.shape()) || found.datatype().size() != 1) {
        throw new FormatException(
            "mask " + found.path(), dense.shape() + " truth values", found.shape());
      }
      mask = Optional.of(found);
    }
    byte[] fill = undefined.orElseGet(dense::fillValue);
    AbsentValue absent =
        undefined.isPresent()
            ? AbsentValue.named(dense.datatype(), fill)
            : AbsentValue.exactly(fill);
    return new Source(dense, mask, fill, absent);
  }

  /** An array in a dataset, open for reading. */
  private record Source(Dataset dense, Optional<Dataset> mask, byte[] fillValue, AbsentValue absent)
      implements ElementSource {
    @Override
    public long[] extent() {
      return dense.shape().extent();
    }

    @Override
    public Datatype datatype() {
      return dense.datatype();
    }

    @Override
    public long count() {
      long[] count = {0};
      forEach(entries -> count[0] += entries.count());
      return count[0];
    }

    @Override
    public void forEach(ElementSink sink) {
      int size = datatype().size();
      new ChunkAlignedBlocks(dense.shape(), dense.storage().chunk(), Math.max(1, PART_BYTES / size))
          .forEach(slab -> {
            int n = Math.toIntExact(slab.count(dense.shape()));
            MemorySegment values = MemorySegment.ofArray(new byte[n * size]);
            dense.read(slab, datatype(), values);
            byte[] truths = mask.map(dataset -> dataset.readBytes(slab)).orElse(new byte[0]);
            pass(slab, values, truths, sink);
          });
    }

    private void pass(Selection slab, MemorySegment values, byte[] truths, ElementSink sink) {
      int rank = extent().length;
      int size = datatype().size();
      Batch batch = new Batch(rank, size, sink);
      int[] element = {0};
      slab.forEachRun(
          dense.shape(),
          (start, length) -> {
            long[] place = start.clone();
            for (long i = 0; i < length; i++) {
              int at = element[0]++;
              boolean defined = truths.length > 0 ? truths[at] != 0 : !absent.is(values, at);
              if (defined) {
                place[rank - 1] = start[rank - 1] + i;
                batch.add(place, values.asSlice((long) at * size, size));
              }
            }
          });
      batch.finish();
    }
  }

  /** Collects elements and passes them to a sink in batches. */
  private static final class Batch {
    private final int rank;
    private final int size;
    private final int most;
    private final ElementSink sink;
    private final long[] coordinates;
    private final byte[] values;
    private int count;

    Batch(int rank, int size, ElementSink sink) {
      this.rank = rank;
      this.size = size;
      this.sink = sink;
      this.most = Entries.most(size);
      this.coordinates = new long[most * rank];
      this.values = new byte[most * size];
    }

    void add(long[] place, MemorySegment value) {
      System.arraycopy(place, 0, coordinates, count * rank, rank);
      MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, values, count * size, size);
      count++;
      if (count == most) {
        finish();
      }
    }

    void finish() {
      if (count > 0) {
        sink.accept(
            new Entries(
                rank,
                Arrays.copyOf(coordinates, count * rank),
                MemorySegment.ofArray(Arrays.copyOf(values, count * size))));
      }
      count = 0;
    }
  }
}
