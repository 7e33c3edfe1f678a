package io.skerry.internal.copy;

import io.skerry.StorageChange;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.file.ObjectLocation;

/**
 * A dataset and its copy, whose elements are still to be copied.
 *
 * @param path at which the dataset was met
 * @param dataset the dataset
 * @param address of the copy's header
 * @param change what is stored otherwise in the copy
 */
record CopiedDataset(
    ObjectLocation from, String path, NativeDataset dataset, long address, StorageChange change) {}
