package io.skerry.internal.copy.element;

import io.skerry.StorageChange;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.file.ObjectLocation;

/**
 * A dataset and its copy, into which the elements have not been copied yet.
 *
 * @param path the path at which the source dataset was first found
 * @param dataset the source dataset
 * @param address the address of the object header of the copy
 * @param change the storage change that is requested for the copy
 */
public record CopiedDataset(
    ObjectLocation from, String path, NativeDataset dataset, long address, StorageChange change) {}
