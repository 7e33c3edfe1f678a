package io.skerry.internal.copy.generic;

import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Chooses the storage of the copy of each dataset, and creates the copies. Collective. */
final class StorageChoices {
  private final ObjectCopier how;
  private final CopyPlan plan;
  private final TargetSteps steps;
  private final Optional<StorageChange> own;
  private final Map<Long, StorageChange> named = new HashMap<>();

  /**
   * Creates the choices for a copy.
   *
   * @param own the change that is requested for a single dataset; empty if there is none
   * @throws NoSuchObjectException if the copier specifies a change for a path at which there is no
   *     dataset
   */
  StorageChoices(ObjectCopier how, CopyPlan plan, Optional<StorageChange> own) {
    this.how = how;
    this.own = own;
    this.plan = plan;
    this.steps = new TargetSteps(how.target());
    how.named()
        .forEach((path, change) -> {
          Dataset unused = how.source().dataset(path);
          plan.addressOf(path).ifPresent(address -> named.put(address, change));
        });
  }

  private Optional<StorageChange> special(CopyPlan.Planned<Dataset> planned) {
    return own.or(() -> planned.address().flatMap(at -> Optional.ofNullable(named.get(at))));
  }

  /**
   * Creates the copy of a dataset without its elements.
   *
   * @return the storage change that was applied to the copy
   */
  StorageChange create(CopyPlan.Planned<Dataset> planned) {
    Dataset dataset = planned.open().get();
    String to = planned.to().toString();
    Optional<StorageChange> special = special(planned);
    StorageChange change =
        special.isPresent()
            ? special.get()
            : steps.before(Operation.CREATE_OBJECT, to, () -> how.storage().apply(dataset));
    boolean isMaterialized =
        special.isEmpty() && how.options().contains(CopyOption.MATERIALIZE_VIRTUAL);
    CopiedSpec spec =
        steps.before(
            Operation.CREATE_OBJECT,
            to,
            () -> new CopiedSpec(base(dataset, isMaterialized), planned.from().shown()));
    boolean mayKeep = change.fit() == StorageChange.Fit.WHERE_POSSIBLE || isMaterialized;
    if (change.isNone() || mayKeep && spec.old().storage() == DatasetSpec.Storage.VIRTUAL) {
      create(to, spec, StorageChange.none());
      return StorageChange.none();
    }
    try {
      create(to, spec, change);
      return change;
    } catch (IllegalArgumentException | UnsupportedFeatureException | CollectiveException e) {
      if (!mayKeep || !isAboutStorage(e)) {
        throw e;
      }
    }
    create(to, spec, StorageChange.none());
    return StorageChange.none();
  }

  private static boolean isAboutStorage(RuntimeException failure) {
    Throwable cause = failure instanceof CollectiveException ? failure.getCause() : failure;
    return cause instanceof IllegalArgumentException
        || cause instanceof UnsupportedFeatureException;
  }

  private void create(String to, CopiedSpec spec, StorageChange change) {
    H5File target = how.target();
    DatasetSpec asked = steps.before(Operation.CREATE_OBJECT, to, () -> spec.changed(change));
    if (!CopiedSpec.isChunked(asked)
        || ChunkGrid.of(asked.resolvedChunk()).isWithin(asked.shape())) {
      Dataset unused = target.createDataset(to, asked);
      return;
    }
    // A new dataset of this extent may not have such chunks, but an existing one may.
    Shape empty = Shape.of(new long[asked.shape().rank()], asked.shape().maximum());
    target.createDataset(to, asked.withShape(empty)).extendTo(asked.shape().extent());
  }

  /** Returns the specification of the dataset, with the path of its committed datatype's copy. */
  private DatasetSpec base(Dataset dataset, boolean isMaterialized) {
    DatasetSpec old = dataset.specification();
    DatasetSpec own = old.committed().isPresent() ? shared(old) : old;
    if (!isMaterialized || old.storage() != DatasetSpec.Storage.VIRTUAL) {
      return own;
    }
    if (dataset.isSparse()) {
      return own.sparse();
    }
    // Without filters, a contiguous copy could not be extended.
    return dataset.shape().isExtendible() ? own.chunked() : own.contiguous();
  }

  private DatasetSpec shared(DatasetSpec old) {
    Optional<ObjectPath> place =
        plan.addressOf(old.committed().orElseThrow()).flatMap(plan::placeOf);
    return old.sharing(place.map(ObjectPath::toString));
  }
}
