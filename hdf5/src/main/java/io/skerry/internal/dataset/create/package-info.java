/**
 * Chooses the header messages of new datasets from their specifications. Start at {@link
 * io.skerry.internal.dataset.create.DatasetMessages}.
 */
package io.skerry.internal.dataset.create;
