/** Collective file calls. Start at {@link io.skerry.collective.view.AgreedFile}. */
package io.skerry.collective.view;
