/**
 * Who owns a chunk: homes keep the index records and name the owners, owners plan the rounds. Does
 * not move or merge data. Start at {@link io.skerry.collective.owner.Directory}.
 */
package io.skerry.collective.owner;
