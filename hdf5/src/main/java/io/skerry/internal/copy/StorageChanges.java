package io.skerry.internal.copy;

import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.NoSuchObjectException;
import io.skerry.ObjectCopier;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.file.Resolver;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Determines the storage change that a copy applies to each dataset. */
final class StorageChanges {
  private final ObjectCopier how;
  private final Map<ObjectLocation, StorageChange> named = new HashMap<>();

  /**
   * Creates the changes for a copy, and finds the datasets for which the copier specifies
   * individual changes.
   *
   * @throws NoSuchObjectException if the copier specifies a change for a path at which there is no
   *     dataset
   */
  StorageChanges(ObjectCopier how, NativeFile source) {
    this.how = how;
    for (Map.Entry<String, StorageChange> one : how.named().entrySet()) {
      if (!(source.object(one.getKey()) instanceof NativeDataset)) {
        throw Resolver.missing(source, "not a dataset", one.getKey());
      }
      named.put(locate(source, one.getKey()), one.getValue());
    }
  }

  private static ObjectLocation locate(NativeFile source, String path) {
    return source
        .collective()
        .steps()
        .together(
            Operation.OPEN_OBJECT,
            path,
            "(to be stored otherwise)",
            () -> new Resolver(source).locate(source.tree().rootAddress(), path));
  }

  /**
   * Returns the storage change for a dataset: its individual change, or otherwise the result of the
   * function for all datasets.
   */
  StorageChange of(ObjectLocation from, NativeDataset dataset) {
    StorageChange special = named.get(from);
    if (special != null) {
      return special;
    }
    return how.storage().apply((Dataset) Connectors.opened(how.source(), dataset));
  }

  /**
   * Returns the storage changes to try for a dataset, in order. Usually, this is only the change
   * that {@link #of} returns. For a virtual dataset that is to be materialized and has no
   * individual change, the list contains this change and the empty change, both modified so that
   * the copy is not virtual.
   */
  List<StorageChange> choices(ObjectLocation from, NativeDataset dataset) {
    StorageChange asked = of(from, dataset);
    if (!(dataset.opened() instanceof Storage.Virtual)
        || named.containsKey(from)
        || !how.options().contains(CopyOption.MATERIALIZE_VIRTUAL)) {
      return List.of(asked);
    }
    return List.of(
        materialized(asked.withFit(StorageChange.Fit.REQUIRED), dataset),
        materialized(StorageChange.none(), dataset));
  }

  private static StorageChange materialized(StorageChange asked, NativeDataset dataset) {
    if (asked.redefinition().isEmpty() && dataset.isSparse()) {
      return new StorageChange(
          Optional.empty(),
          asked.chunk(),
          asked.filters(),
          Optional.of(
              new SparsityConversion(
                  SparsityConversion.Kind.DENSE_TO_SPARSE, Optional.empty(), _ -> {})),
          asked.fit());
    }
    if (asked.layout().isEmpty() && dataset.shape().isExtendible()) {
      // Without filters, the copy would otherwise be contiguous and could not be extended.
      return asked.withLayout(StorageChange.Layout.CHUNKED);
    }
    return asked.isNone() ? asked.withLayout(StorageChange.Layout.CONTIGUOUS) : asked;
  }
}
