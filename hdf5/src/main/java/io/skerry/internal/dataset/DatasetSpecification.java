package io.skerry.internal.dataset;

import io.skerry.DatasetSpec;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.internal.dataset.create.SpecReader;

/** Derives the specification of a dataset from its object header. */
final class DatasetSpecification {
  private DatasetSpecification() {}

  /** Returns whether the dataspace is null. */
  static boolean hasNullSpace(ObjectHeader header) {
    return header
        .find(DataspaceMessage.class)
        .filter(space -> space.kind() == DataspaceMessage.Kind.NULL)
        .isPresent();
  }

  /** Returns a specification with which a dataset like the given one can be created. */
  static DatasetSpec of(NativeDataset dataset, HdfFile file) {
    return new SpecReader(dataset.header(), dataset.datatype(), dataset.shape(), dataset.fill())
        .spec(dataset.virtualLayout(), address -> file.contents().pathOf(address));
  }
}
