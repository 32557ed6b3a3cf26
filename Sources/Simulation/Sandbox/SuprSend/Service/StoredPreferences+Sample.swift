extension StoredPreferences {
    /// The initial preferences of a user: an editable category, a mandatory one, one with a digest schedule and
    /// properties, and a section without a name.
    package static let sample = StoredPreferences(
        sections: [
            [
                "name": "Offers", "slug": "offers", "description": "Deals",
                "translations": ["es": ["name": "Ofertas", "description": "Rebajas"]],
                "subcategories": [
                    [
                        "name": "Refund news", "category": "refund-news", "description": "Refund status",
                        "original_preference": "opt_in", "preference": "opt_in", "is_editable": true, "tags": ["sales"],
                        "translations": [
                            "es": ["name": "Reembolsos", "description": "Estado del reembolso"],
                            "es-AR": ["name": "Devoluciones"],
                        ],
                        "channels": [
                            ["channel": "androidpush", "preference": "opt_in", "is_editable": false],
                            ["channel": "email", "preference": "opt_in", "is_editable": false],
                            ["channel": "inbox", "preference": "opt_in", "is_editable": true],
                            ["channel": "whatsapp", "preference": "opt_out", "is_editable": true],
                        ],
                    ]
                ],
            ],
            [
                "name": "Operations", "slug": "operations", "description": "What keeps things running",
                "tags": ["ops"],
                "subcategories": [
                    [
                        "name": "Maintenance", "category": "maintenance", "description": "Planned interruptions",
                        "original_preference": "opt_in", "preference": "opt_in", "is_editable": false,
                        "channels": [
                            ["channel": "email", "preference": "opt_in", "is_editable": false],
                            ["channel": "inbox", "preference": "opt_in", "is_editable": true],
                        ],
                    ],
                    [
                        "name": "Builds", "category": "builds", "description": "Finished and failed builds",
                        "original_preference": "opt_out", "preference": "opt_out", "is_editable": true,
                        "tags": ["ci"],
                        "channels": [
                            ["channel": "email", "preference": "opt_out", "is_editable": true],
                            ["channel": "inbox", "preference": "opt_out", "is_editable": true],
                        ],
                        "digest_schedule": [
                            "id": "weekly", "label": "Weekly", "frequency": "weekly", "interval": 1,
                            "is_default": true, "is_user_selected": false,
                            "time": ["edit_policy": "editable", "default_value": "09:00"],
                            "weekdays": ["edit_policy": "editable", "default_value": ["mo"]],
                            "dtstart": ["edit_policy": "locked", "default_value": "2025-08-04"],
                        ],
                        "properties": [
                            [
                                "key": "min_minutes", "value": 5, "label": "Shortest build", "edit_policy": "editable",
                                "is_optional": false, "is_overridden": false, "value_type": "integer",
                                "default_value": 5,
                            ],
                            [
                                "key": "branches", "value": ["main"], "label": "Branches", "edit_policy": "editable",
                                "is_optional": true, "is_overridden": false, "value_type": "list_choice",
                                "default_value": ["main"],
                                "choices": [
                                    ["label": "main", "value": "main"], ["label": "release", "value": "release"],
                                ],
                            ],
                        ],
                    ],
                ],
            ],
            [
                "name": nil,
                "subcategories": [
                    [
                        "name": "Mentions", "category": "mentions", "description": "Someone wrote your name",
                        "original_preference": "opt_in", "preference": "opt_in", "is_editable": true,
                        "channels": [["channel": "inbox", "preference": "opt_in", "is_editable": true]],
                    ]
                ],
            ],
        ],
        channels: [
            ["channel": "email", "is_restricted": false],
            ["channel": "inbox", "is_restricted": false],
            ["channel": "androidpush", "is_restricted": false],
            ["channel": "whatsapp", "is_restricted": false],
        ]
    )
}
