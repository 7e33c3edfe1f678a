package io.skerry.integration.lifecycle;

import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.DatasetSpec.Storage;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.format.Bytes;
import io.skerry.integration.random.FillBytes;
import io.skerry.integration.random.RandomChoice;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Copies objects of an open file into another file, together with their models. Collective. */
final class Copies {
  private static final String ALL = "/all";

  private final RandomChoice draw;
  private final LayoutGenerator layouts;
  private final H5File source;
  private final H5File target;

  Copies(RandomChoice draw, LayoutGenerator layouts, H5File source, H5File target) {
    this.draw = draw;
    this.layouts = layouts;
    this.source = source;
    this.target = target;
  }

  /** Returns the model of a copy of the dataset within the same file. */
  static DatasetModel within(DatasetModel dataset, String to) {
    return dataset.copy(to, Optional::of);
  }

  /** Copies a dataset and returns the model of the copy, in which all references are null. */
  DatasetModel one(DatasetModel dataset) {
    source.copy(dataset.path(), target, "/copies/one");
    return dataset.copy("/copies/one", _ -> Optional.empty());
  }

  /** Copies all objects into a group, and returns the models of the copies. */
  List<DatasetModel> group(List<DatasetModel> datasets) {
    source.copy("/", target, ALL, CopyOption.KEEP_INNER_REFERENCES);
    return datasets.stream()
        .map(dataset -> dataset.copy(ALL + dataset.path(), path -> Optional.of(ALL + path)))
        .toList();
  }

  /**
   * Copies all objects into a new file, each dataset with the same or another storage, and changes
   * the models accordingly.
   *
   * @param changes the list to which a description of each storage change is added, for messages
   */
  void repack(List<DatasetModel> datasets, List<String> changes) {
    ObjectCopier copier =
        ObjectCopier.between(source, target, CopyOption.KEEP_INNER_REFERENCES)
            .storing((Dataset _) -> StorageChange.none());
    for (DatasetModel dataset : datasets) {
      copier = copier.storing(dataset.path(), change(dataset, changes));
    }
    copier.copyAll();
  }

  private StorageChange change(DatasetModel dataset, List<String> changes) {
    StringBuilder text = new StringBuilder(dataset.toString()).append(" as");
    StorageChange change = StorageChange.none();
    if (draw.chance(0.4)) {
      long[] chunk = layouts.chunk(dataset);
      change = change.withChunk(LongStream.of(chunk).boxed().toList());
      dataset.rechunk(chunk);
      text.append(" chunk=").append(Arrays.toString(chunk));
    }
    if (draw.chance(0.4)) {
      change = change.withFilters(draw.chance(0.3) ? List.of() : List.of(layouts.filters()));
      text.append(" filters=").append(change.filters());
    }
    if (draw.chance(0.4)) {
      SparsityConversion redefinition = redefinition(dataset);
      change = change.redefining(redefinition);
      text.append(' ').append(redefinition);
    }
    changes.add(text.toString());
    return change;
  }

  private SparsityConversion redefinition(DatasetModel dataset) {
    Optional<FillContent> given =
        FillBytes.fits(dataset.type()) && !dataset.cells().isEmpty() && draw.chance(0.5)
            ? Optional.of(FillContent.of(dataset.type(), aValue(dataset)))
            : Optional.empty();
    FillContent undefined = given.orElse(dataset.fill());
    SparsityConversion.Kind kind;
    if (dataset.storage() == Storage.DENSE) {
      kind = SparsityConversion.Kind.DENSE_TO_SPARSE;
      dataset.makeSparse(undefined);
    } else {
      kind = SparsityConversion.Kind.SPARSE_TO_DENSE;
      dataset.makeDense(undefined);
    }
    return new SparsityConversion(
        kind, given.map(fill -> Bytes.of(MemorySegment.ofArray(fill.bytes()))), _ -> {});
  }

  private Value aValue(DatasetModel dataset) {
    return draw.pick(List.copyOf(dataset.cells().values()));
  }
}
