/**
 * State that the operations of one open file share on one rank, and access to stored chunks. Start
 * at {@link FileContext}.
 */
package io.skerry.collective.core;
