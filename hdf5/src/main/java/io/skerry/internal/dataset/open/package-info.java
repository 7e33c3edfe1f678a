/**
 * Opens datasets: determines the storage of a dataset, its chunk format and its fill value from the
 * messages of its object header. Start at {@link io.skerry.internal.dataset.open.DatasetOpener}.
 */
package io.skerry.internal.dataset.open;
