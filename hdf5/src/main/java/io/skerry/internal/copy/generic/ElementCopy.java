package io.skerry.internal.copy.generic;

import io.skerry.ChunkTable;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.chunk.ChunkImage;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.format.Bytes;
import io.skerry.internal.copy.element.UndefinedValue;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.parallel.Operation;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Copies the elements of one dataset; the ranks share the work. Stored chunks are copied without
 * decoding if both datasets have chunks of the same form and no element refers to other data.
 * Collective.
 */
final class ElementCopy {
  /**
   * The assumed memory use of a value with variable-length content and its list entry, in bytes.
   */
  private static final long VALUE_BYTES = 256;

  private final Dataset from;
  private final Dataset to;
  private final CopiedReferences references;
  private final LongConsumer progress;
  private final TargetSteps steps;
  private final Connectors.Position position;
  private final DatasetSpec old;
  private final Datatype type;
  private final boolean holdsAddresses;
  private final boolean asksDefined;
  private final Optional<SparsityConversion> conversion;
  private final UndefinedValue undefined;
  private final boolean isUndefinedTheFill;

  /**
   * Creates the copy operation for the elements of one dataset.
   *
   * @param change the storage change that was applied to the copy
   * @param progress a consumer of the number of bytes that this rank copies
   */
  ElementCopy(
      Dataset from,
      Dataset to,
      StorageChange change,
      CopiedReferences references,
      LongConsumer progress) {
    this.from = from;
    this.to = to;
    this.references = references;
    this.progress = progress;
    this.steps = new TargetSteps(to.file());
    this.position = Connectors.position(to.file());
    this.old = from.specification();
    this.type = from.datatype();
    this.holdsAddresses = ElementTransfer.holdsAddresses(type);
    this.asksDefined = from.isSparse();
    Optional<SparsityConversion> asked =
        change.redefinition().filter(_ -> from.isSparse() != to.isSparse());
    MemorySegment fill = MemorySegment.ofArray(from.fillValue());
    MemorySegment value =
        asked.flatMap(SparsityConversion::undefined).map(Bytes::segment).orElse(fill);
    this.conversion = asked;
    this.undefined = new UndefinedValue(type, value);
    this.isUndefinedTheFill = undefined.is(fill, 0);
  }

  void copy() {
    if (from.isNull() || from.shape().elements() == 0 || to.virtualLayout().isPresent()) {
      return;
    }
    CopyRounds rounds = new CopyRounds(from, position);
    if (hasSameChunks()) {
      ChunkTable table = from.chunks();
      rounds.chunks(table, type.size(), offsets -> images(table, offsets));
      return;
    }
    long bytes = holdsAddresses ? Math.max(VALUE_BYTES, type.size()) : type.size();
    if (CopiedSpec.isChunked(old) && (!leavesOut() || isUndefinedTheFill)) {
      // Elements without storage have the fill value in the copy as well, or are left out.
      rounds.chunks(from.chunks(), bytes, offsets -> part(boxes(offsets)));
    } else if (!isUnwritten()) {
      rounds.blocks(bytes, this::part);
    }
  }

  /** Returns whether no element was written, so that all have the fill value. */
  private boolean isUnwritten() {
    return old.resolvedStorage() == DatasetSpec.Storage.CONTIGUOUS
        && !leavesOut()
        && from.elementFiles().isEmpty()
        && from.usage().bytes() == 0;
  }

  /** Returns whether elements with the value that marks undefined elements are left out. */
  private boolean leavesOut() {
    return !asksDefined
        && conversion
            .filter(how -> how.kind() == SparsityConversion.Kind.DENSE_TO_SPARSE)
            .isPresent();
  }

  private boolean hasSameChunks() {
    DatasetSpec made = to.specification();
    boolean isDense = old.resolvedStorage() == DatasetSpec.Storage.DENSE;
    return CopiedSpec.isChunked(old)
        && old.resolvedStorage() == made.resolvedStorage()
        && !ElementTransfer.refersToObjects(type)
        && !(isDense && holdsAddresses)
        && type.equals(made.datatype())
        && Arrays.equals(old.resolvedChunk(), made.resolvedChunk())
        && old.edges() == made.edges()
        && Arrays.equals(from.fillValue(), to.fillValue())
        && haveSameFilters(made, isDense ? 1 : holdsAddresses ? 3 : 2);
  }

  private boolean haveSameFilters(DatasetSpec made, int sections) {
    for (int section = 0; section < sections; section++) {
      if (!old.filters().of(section).filters().equals(made.filters().of(section).filters())) {
        return false;
      }
    }
    // The length of scan lines is not in the specification, and programs choose it differently.
    return IntStream.range(0, sections)
            .mapToObj(old.filters()::of)
            .flatMap(pipeline -> pipeline.filters().stream())
            .noneMatch(filter -> filter.id() == Filters.SZIP)
        || from.storage().filters().equals(to.storage().filters());
  }

  private void images(ChunkTable table, List<long[]> offsets) {
    Map<List<Long>, ChunkImage> images =
        steps.before(
            Operation.WRITE,
            to.shownPath(),
            () -> {
              Map<List<Long>, ChunkImage> read = new HashMap<>();
              for (long[] offset : offsets) {
                ChunkImage image = table.image(offset).orElseThrow();
                read.put(Arrays.stream(offset).boxed().toList(), image);
                progress.accept(image.sections().size());
              }
              return read;
            });
    to.writeChunks(images);
  }

  private Selection boxes(List<long[]> offsets) {
    Shape shape = from.shape();
    long[] chunk = old.resolvedChunk();
    List<Box> boxes = new ArrayList<>();
    for (long[] start : offsets) {
      long[] end = new long[start.length];
      Arrays.setAll(end, d -> Math.min(start[d] + chunk[d], shape.extent(d)));
      boxes.add(new Box(start, end));
    }
    return Selection.blocks(boxes);
  }

  private void part(Selection all) {
    Selection stored = asksDefined ? from.defined(all) : all;
    Selection wanted = conversion.isPresent() ? kept(stored) : stored;
    if (position.of() == 1 && wanted.isEmpty()) {
      return;
    }
    if (holdsAddresses) {
      List<Value> values = from.readValues(wanted);
      to.writeValues(wanted, prepared(wanted, () -> references.changed(values)));
    } else {
      MemorySegment values = from.readElements(wanted).packed();
      to.write(wanted, type, prepared(wanted, () -> values));
    }
  }

  private <T> T prepared(Selection wanted, Supplier<T> values) {
    return steps.before(
        Operation.WRITE,
        to.shownPath(),
        () -> {
          progress.accept(wanted.count(from.shape()) * type.size());
          return values.get();
        });
  }

  /**
   * Counts the elements that have the value that marks undefined elements, and returns the elements
   * to copy: in a conversion to dense storage, all elements, and otherwise those with other values.
   */
  private Selection kept(Selection stored) {
    boolean toSparse = conversion.orElseThrow().kind() == SparsityConversion.Kind.DENSE_TO_SPARSE;
    if (toSparse && !leavesOut()) {
      return stored;
    }
    MemorySegment packed = from.readElements(stored).packed();
    return steps.before(Operation.WRITE, to.shownPath(), () -> kept(stored, packed, toSparse));
  }

  private Selection kept(Selection stored, MemorySegment packed, boolean toSparse) {
    if (stored.isEmpty()) {
      return stored;
    }
    Shape shape = from.shape();
    int rank = shape.rank();
    long[] coordinates = toSparse ? stored.toCoordinates(shape) : new long[0];
    long count = packed.byteSize() / type.size();
    long left = 0;
    int end = 0;
    for (int i = 0; i < count; i++) {
      if (undefined.is(packed, (long) i * type.size())) {
        left++;
      } else if (toSparse) {
        System.arraycopy(coordinates, i * rank, coordinates, end, rank);
        end += rank;
      }
    }
    conversion.orElseThrow().counted().accept(left);
    return toSparse && left > 0 ? Selection.points(rank, Arrays.copyOf(coordinates, end)) : stored;
  }
}
